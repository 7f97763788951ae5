import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
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

/**
 * Installs the package, beside which a project also finds the commands that are installed here.
 * @param others further packages of the registry, as `jest`.
 * @param packed the archive of an earlier install, which is not packed again.
 */
export async function installPackage(others: string[] = [], packed?: string): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'mockademy-installed-'))
  const env = cleanEnvironment(folder)
  const archive = packed ?? (await packInto(folder, env))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }))
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  await execute('npm', [...install, archive, ...others], {
    cwd: folder,
    env: { ...env, NODE_EXTRA_CA_CERTS: env.NPM_CA_CERTS },
  })

  // What `npx` does, without the half second that it takes.
  const path = [folder, ROOT]
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

async function packInto(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [{ filename }] = JSON.parse((await execute('npm', pack, { cwd: ROOT, env })).stdout)
  return join(folder, filename)
}
