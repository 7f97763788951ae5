import { execFile } from 'node:child_process'
import { chmod, cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../bench/processes.js'
import type { Client } from './clients.js'
import type { Subject } from './trial.js'

const run = promisify(execFile)

/**
 * Copies the program of a client to `folder`, with what it needs beside it.
 * @param from `registry` installs packages from npm; `repository` takes those that are installed here
 */
export async function install(client: Client, folder: string, from: 'registry' | 'repository'): Promise<Subject> {
  const { packages, prepare = [], without } = client
  await cp(join(ROOT, 'test/interop/clients', client.folder), folder, { recursive: true })
  // Apache, started by root, serves it as somebody else.
  await chmod(folder, 0o755)
  if (without !== undefined) await leaveOut(join(folder, client.program), without)
  if (from === 'repository') {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  } else if (packages.length > 0) {
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }')
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder })
  }
  for (const [program, ...args] of prepare) await run(program, args, { cwd: folder, env: goPath() })
  return { command: client.command, folder, callback: client.callback, inBrowser: client.inBrowser ?? false }
}

/** The version that is installed in `folder`. */
export async function versionOf({ version: [program, ...args] }: Client, folder: string): Promise<string> {
  return (await run(program, args, { cwd: folder })).stdout.trim()
}

async function leaveOut(file: string, text: string): Promise<void> {
  const program = await readFile(file, 'utf8')
  if (!program.includes(text)) throw new Error(`${file} does not have ${text}`)
  await writeFile(file, program.replace(text, ''))
}

/** Debian's Go libraries are sources in this path, not modules. */
const goPath = () => ({ ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' })
