import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type StartOptions, startEmulator } from 'mockademy'
import type { IdTokenEffect } from '../../../src/emulator/faults/effects.js'
import { changeManifest } from '../../harness/change-manifest.js'
import { freePort } from '../../harness/free-port.js'
import { forgeries } from './forgeries.js'
import { personWithChromium, personWithCookies } from './person.js'

/** An app that signs people in with a client, as its page in docs/clients/ shows it. */
export interface Subject {
  /** Starts the app in `folder`; it listens at `http://localhost:$PORT`. */
  command: [string, ...string[]]
  folder: string
  /** The path of its redirect URI. */
  callback: string
  /** It needs a browser, not only cookies and redirects. */
  inBrowser: boolean
}

interface Verdict {
  accepted: boolean
  /** Status and body. */
  answer: string
}

interface Trial {
  /** Signs Ada in with a fresh browser, with an id_token as it should be. */
  signIn: () => Promise<Verdict>
  /**
   * Signs her in once with each forgery.
   * @param seen is told how each ended
   * @returns the names of those that were accepted
   * @throws Error when the app never asked for the id_token: then it refused something else
   */
  tryForgeries: (seen?: (name: string, verdict: Verdict) => void) => Promise<string[]>
  stop: () => Promise<void>
}

/** Starts an emulator with the default world, and an app that signs in with it as `notes`. */
export async function startTrial(
  { command, folder, callback, inBrowser }: Subject,
  settings: StartOptions = {},
): Promise<Trial> {
  const [program, ...args] = command
  const port = await freePort()
  const emulator = await startEmulator(settings)
  const { admin } = emulator
  const redirect_uris = [`http://localhost:${port}${callback}`]
  await changeManifest(admin, { oauth: { install: true, authorize: { redirect_uris } } })
  await admin.install({ app: 'notes', organization: 'acme', announce: false })
  await admin.setAmbientUser('ada')

  const app = spawn(program, args, {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      PLATFORM_APP_URL: emulator.appUrl,
      PLATFORM_CLIENT_ID: 'app_notes',
      PLATFORM_CLIENT_SECRET: 'notes_secret',
    },
  })
  // It rejects where the program is not installed.
  await once(app, 'spawn').catch(async (error: Error) => {
    await emulator.close()
    throw error
  })
  let log = ''
  for (const stream of [app.stdout, app.stderr]) {
    stream.on('data', (chunk) => {
      log += chunk
    })
  }
  const person = await (inBrowser ? personWithChromium() : personWithCookies())
  const stop = async () => {
    await person.leave()
    await ended(app)
    await emulator.close()
  }
  await listening(app, port).catch(async (error: Error) => {
    await stop()
    throw new Error(`${program} ${args.join(' ')}: ${error.message}\n${log}`)
  })

  const signIn = async () => {
    const { status, text } = await person.goThrough(`http://localhost:${port}/login`)
    return { accepted: status === 200 && text.includes('ada@acme.test'), answer: `${status} ${text}` }
  }
  const tryForgery = async (effect: IdTokenEffect) => {
    const { id } = await admin.addFault({ match: { surface: 'id_token' }, effect, times: 1 })
    const verdict = await signIn()
    const fault = (await admin.listFaults()).find((each) => each.id === id)
    if (fault?.hits !== 1) throw new Error(`It never got the forged id_token: ${verdict.answer}\n${log}`)
    await admin.deleteFault(id)
    return verdict
  }
  const tryForgeries: Trial['tryForgeries'] = async (seen) => {
    const accepted: string[] = []
    for (const [name, { effect }] of Object.entries(forgeries)) {
      const verdict = await tryForgery(effect)
      if (verdict.accepted) accepted.push(name)
      seen?.(name, verdict)
    }
    return accepted
  }
  return { signIn, tryForgeries, stop }
}

/** Resolves when the app answers anything at all. @throws Error when it ends before. */
async function listening(app: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (app.exitCode !== null) throw new Error(`it ended with status ${app.exitCode}`)
    const answers = await fetch(`http://localhost:${port}/`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (answers) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function ended(app: ChildProcess): Promise<void> {
  if (app.exitCode !== null || app.signalCode !== null) return
  const exit = once(app, 'exit')
  app.kill()
  await exit
}
