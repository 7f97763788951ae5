import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditFileInput, type Emulator, startEmulator } from 'mockademy'
import { changeManifest } from '../harness/change-manifest.js'
import { ROOT } from '../harness/command-line.js'
import { freePort } from '../harness/free-port.js'
import { environmentOf } from '../harness/notes-app.js'
import { commandOf } from '../harness/serve.js'

/** A change of the example app's source: `find` must be there exactly once. */
export interface Patch {
  file: string
  find: string
  replace: string
}

export interface ExampleApp {
  emulator: Emulator
  url: string
  /** Its audit file. */
  file: AuditFileInput
  /** The same, with probes as the organizations' owners. */
  fileOfPeople: AuditFileInput
  folder: string
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const SOURCE = join(ROOT, 'test/journeys/notes-app')

/** The example app, or a copy of it with these changes, running beside an emulator of its own that knows its addresses. */
export async function startExampleApp(patches: Patch[] = []): Promise<ExampleApp> {
  const folder = await mkdtemp(join(tmpdir(), 'mockademy-app-'))
  const source = join(folder, 'app')
  await cp(SOURCE, source, { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  for (const patch of patches) await apply(source, patch)

  const emulator = await startEmulator({ now: new Date().toISOString(), seed: 'audit' })
  await emulator.admin.resumeClock()
  const log: string[] = []
  const launch = async (port: string): Promise<{ child: ChildProcess; url: string }> => {
    const child = spawn(process.execPath, [join(source, 'server.js')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environmentOf({
        emulator: emulator.url,
        folder,
        variables: { PORT: port, DATA_FILE: join(folder, 'data') },
      }),
    })
    child.stderr.on('data', (chunk) => log.push(String(chunk)))
    const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [log.join('')])])
    const url = /http:\S+/.exec(String(line))?.[0]
    if (!url) throw new Error(`The app does not start: ${line}`)
    return { child, url }
  }
  // It is started again at its port, which no other program may get meanwhile.
  let { child, url } = await launch(String(await freePort()))
  const stop = async () => {
    // An app may have ended by itself.
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const restart = await commandOf(async () => {
    await stop()
    ;({ child, url } = await launch(new URL(url).port))
  })
  await pointAt(emulator, url)

  const probe = { url: `${url}/organizations/{organization}/courses`, not_installed: { status: 404 } }
  const file: AuditFileInput = {
    app: 'notes',
    start: `${url}/login`,
    whoami: { url: `${url}/me`, signed_in: { status: 200, user: '/sub' }, signed_out: { status: 401 } },
    probe,
    list: { url: `${url}/organizations/{organization}/elements`, count: '/length' },
    logout: { url: `${url}/logout` },
    data: [join(folder, 'data')],
    restart: restart.command,
    background: '500ms',
  }

  const close = async () => {
    await stop()
    await restart.close()
    await emulator.close()
    await rm(folder, { recursive: true, force: true })
  }
  return {
    emulator,
    url,
    folder,
    file,
    fileOfPeople: { ...file, probe: { ...probe, as: 'signed_in' } },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Makes the app handle requests in turn as two processes do that keep tokens in memory. `also` replaces those at a 401 if no other has. */
export const twoProcesses = {
  file: 'platform.js',
  find: '      const installation = installations.of(organization)\n',
  replace: `      const stored = installations.of(organization)
      globalThis.processes ??= new Map()
      if (!processes.has(organization)) processes.set(organization, [{}, {}])
      const [own] = isRenewed ? [{}] : processes.get(organization).reverse()
      own.copy ??= stored
      const installation = stored && own.copy
`,
  also: {
    file: 'platform.js',
    find: 'if (answer?.status === 401) {',
    replace: 'if (answer?.status === 401) {\n        if (installation === stored) own.copy = undefined',
  },
}

/** Changes a copy of an app. @throws Error unless `find` is there exactly once. */
export async function apply(source: string, { file, find, replace }: Patch): Promise<void> {
  const path = join(source, file)
  const text = await readFile(path, 'utf8')
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times, not once: ${find}`)
  await writeFile(path, parts.join(replace))
}

/** Pushes the app's manifest again, the same version, with the addresses at which it runs now. */
export async function pointAt({ admin }: Emulator, url: string): Promise<void> {
  await changeManifest(admin, {
    webhook: { url: `${url}/webhook` },
    oauth: { install: true, authorize: { redirect_uris: [`${url}/callback`] } },
    post_install_action: { url: `${url}/setup` },
  })
}
