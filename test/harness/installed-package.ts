import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { cleanEnvironment, ROOT } from './command-line.js'

const execute = promisify(execFile)

interface Finished {
  status: number
  stdout: string
  stderr: string
}

/** The package as its users have it: packed, and installed in a folder of its own. */
export interface InstalledPackage {
  folder: string
  /** The packed package. */
  archive: string
  /** Makes a project below, which finds the package as its own. @param files texts by path; objects are written as JSON. */
  project(name: string, files: Record<string, string | object>): Promise<Project>
  remove(): Promise<void>
}

export interface Project {
  folder: string
  /** Runs a command to its end. */
  run(command: string, args: string[], env?: Record<string, string>): Promise<Finished>
}

interface InstallOptions {
  /** The archive of an earlier install, which is not packed again. */
  packed?: string
  /** A folder with further packages, whose commands a project finds too. */
  tools?: string
}

/**
 * Installs the package, beside which a project also finds the commands that are installed here.
 * @param others further packages of the registry, as `vitest@3`, which are there before.
 */
export async function installPackage(
  others: string[] = [],
  { packed, tools = ROOT }: InstallOptions = {},
): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'mockademy-installed-'))
  const env = cleanEnvironment(folder)
  const archive = packed ?? (await packInto(folder, env))
  if (others.length > 0) await cp(await installTools(...others), folder, { recursive: true, verbatimSymlinks: true })
  else await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }))
  await npmInstall(folder, [archive])

  // `npx` sets the same PATH, but takes half a second.
  const path = [folder, tools, ROOT]
    .map((each) => join(each, 'node_modules', '.bin'))
    .concat(env.PATH ?? '')
    .join(delimiter)
  return {
    folder,
    archive,
    async project(name, files) {
      const own = join(folder, name)
      await mkdir(own)
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(own, path)), { recursive: true })
        await writeFile(join(own, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
      }
      return {
        folder: own,
        run: (command, args, more = {}) =>
          execute(command, args, { cwd: own, env: { ...env, PATH: path, CI: '1', NO_COLOR: '1', ...more } }).then(
            ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
            ({ code, stdout, stderr }) => ({ status: code, stdout, stderr }),
          ),
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/**
 * Returns a folder in which these packages of the registry are installed: once, in a folder that `npm ci` deletes, as
 * extracting the 300 packages of a test runner takes seconds.
 */
export async function installTools(...names: string[]): Promise<string> {
  const cache = join(ROOT, 'node_modules', '.cache', 'mockademy')
  const folder = join(cache, names.join('+'))
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(join(cache, 'new-'))
  await writeFile(join(fresh, 'package.json'), JSON.stringify({ private: true }))
  await npmInstall(fresh, names)
  // Another run may have been quicker.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }))
  return folder
}

async function npmInstall(folder: string, packages: string[]): Promise<void> {
  const env = cleanEnvironment(folder)
  await execute('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', ...packages], {
    cwd: folder,
    env: { ...env, NODE_EXTRA_CA_CERTS: env.NPM_CA_CERTS },
  })
}

async function packInto(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [{ filename }] = JSON.parse((await execute('npm', pack, { cwd: ROOT, env })).stdout)
  return join(folder, filename)
}
