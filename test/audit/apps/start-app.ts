import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditFileInput, type Emulator, startEmulator } from 'mockademy'
import { ROOT } from '../../harness/command-line.js'
import { freePort } from '../../harness/free-port.js'
import { environmentOf } from '../../harness/notes-app.js'
import { commandOf } from '../../harness/serve.js'
import { apply, type Patch, pointAt } from '../example-app.js'

type Command = [program: string, ...args: string[]]

interface Stack {
  /** Debian's packages of it. */
  packages: string[]
  /** Fails where one of them is missing. */
  needs: Command
  build?: Command
  start: Command
}

/** Debian's Go libraries are sources in this path, not modules. */
const ofDebian = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' }

/** Python is Debian's own by its path: another one that comes first would not have Debian's packages. */
export const stacks = {
  flask: {
    packages: ['python3-flask', 'python3-authlib', 'python3-requests', 'gunicorn'],
    needs: ['/usr/bin/python3', '-c', 'import authlib, cryptography, flask, gunicorn, requests'],
    start: ['/usr/bin/python3', '-m', 'gunicorn', 'app:app'],
  },
  go: {
    packages: ['golang-go', 'golang-github-coreos-go-oidc-dev', 'golang-golang-x-oauth2-dev'],
    needs: ['go', 'list', 'github.com/coreos/go-oidc', 'golang.org/x/oauth2'],
    build: ['go', 'build', '-o', 'app', '.'],
    start: ['./app'],
  },
} satisfies Record<string, Stack>

export type StackName = keyof typeof stacks

/** Libraries that each stack lacks on this machine, kept because asking takes a second. */
const missing = new Map<StackName, string | undefined>()

/** Returns the reason to skip an app on this machine, or undefined. */
export function missingFor(name: StackName): string | undefined {
  if (!missing.has(name)) missing.set(name, findMissing(name))
  return missing.get(name)
}

function findMissing(name: StackName): string | undefined {
  const { packages, needs } = stacks[name]
  try {
    runIn(ROOT, needs)
    return undefined
  } catch {
    return `this machine has not got all of ${packages.join(', ')}`
  }
}

export interface App {
  emulator: Emulator
  url: string
  /** The path of its audit file, which names the port that it listens at now. */
  file: string
  /** Kills it with all its workers and starts it again. */
  restart(): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * An app, or a copy of it with these changes, running beside an emulator of its own that knows its addresses.
 * @param without keys of the audit file that are left out
 */
export async function startApp(name: StackName, patches: Patch[] = [], without: string[] = []): Promise<App> {
  const folder = await mkdtemp(join(tmpdir(), `mockademy-${name}-`))
  await cp(join(ROOT, 'test/audit/apps', name), folder, { recursive: true })
  for (const patch of patches) await apply(folder, patch)
  await mkdir(join(folder, 'var'))
  const { build, start }: Stack = stacks[name]
  if (build) runIn(folder, build)

  const emulator = await startEmulator({ now: new Date().toISOString(), seed: name })
  await emulator.admin.resumeClock()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const variables = {
    PORT: String(port),
    ORIGIN: url,
    VAR: join(folder, 'var'),
    APP_KEY: randomBytes(32).toString('base64url').concat('='),
    OPERATOR_KEY: 'operator',
  }
  const env = environmentOf({ emulator: emulator.url, folder, variables })
  const log = await open(join(folder, 'app.log'), 'a')
  const launch = async () => {
    const [program, ...args] = start
    const started = spawn(program, args, { cwd: folder, env, stdio: ['ignore', log.fd, log.fd], detached: true })
    await listening(started, url).catch(async (error: Error) => {
      throw new Error(`${program}: ${error.message}\n${await readFile(join(folder, 'app.log'), 'utf8')}`)
    })
    return started
  }
  let child = await launch()
  const restart = async () => {
    await kill(child)
    child = await launch()
  }
  const restarter = await commandOf(restart)
  await pointAt(emulator, url)

  const file = join(folder, 'mockademy.audit.json')
  const declared: AuditFileInput = JSON.parse((await readFile(file, 'utf8')).replaceAll('http://127.0.0.1:3000', url))
  const known = Object.entries(declared).filter(([key]) => !without.includes(key))
  await writeFile(file, JSON.stringify({ ...Object.fromEntries(known), restart: restarter.command }))

  const close = async () => {
    await kill(child)
    await restarter.close()
    await emulator.close()
    await log.close()
    await rm(folder, { recursive: true, force: true })
  }
  return {
    emulator,
    url,
    file,
    restart,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function runIn(folder: string, [program, ...args]: Command): void {
  execFileSync(program, args, { cwd: folder, env: { ...process.env, ...ofDebian }, stdio: 'pipe' })
}

/** Ends it and its workers, which are of one group. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-(child.pid as number), 'SIGKILL')
  await ended
}

/** Resolves when the app answers anything at all. @throws Error when it ends before. */
async function listening(app: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (app.exitCode !== null) throw new Error(`it ended with status ${app.exitCode}`)
    const answers = await fetch(`${url}/me`, { signal: AbortSignal.timeout(5_000) }).then(
      () => true,
      () => false,
    )
    if (answers) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
