import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { connect, type Emulator, startEmulator } from 'mockademy'
import { expect } from 'vitest'
import { changeManifest } from './change-manifest.js'
import { cleanEnvironment, ROOT } from './command-line.js'
import { type Browser, createBrowser } from './cookie-jar.js'
import { type Answer, test as base, send } from './emulator-test.js'
import { signatureOf } from './receiver.js'
import { formOf } from './sign-in-test.js'

export interface NotesApp {
  url: string
  /** The app's own answer for an organization. */
  get: (path: string) => Promise<Answer>
  /** Its output so far. */
  log: () => string
  stop: () => Promise<void>
}

interface Start {
  /** The emulator's address. */
  emulator: string
  /** A folder for whatever it may write. */
  folder: string
  variables?: Record<string, string>
}

/** The variables with which an app of the client `notes` is started. */
export const environmentOf = ({ emulator, folder, variables }: Start): NodeJS.ProcessEnv => ({
  ...cleanEnvironment(folder),
  PORT: '0',
  PLATFORM_BASE_URL: emulator,
  PLATFORM_APP_URL: emulator,
  PLATFORM_CLIENT_ID: 'app_notes',
  PLATFORM_CLIENT_SECRET: 'notes_secret',
  PLATFORM_SIGNING_SECRET: 'notes_signing',
  ...variables,
})

/** Collects what a process prints. */
function outputOf(child: ChildProcess) {
  let log = ''
  let isOver = false
  const over = once(child, 'close').then(() => {
    isOver = true
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      log += chunk
    })
  }
  return {
    log: () => log,
    /** The address that an app says it listens at, after what had been printed before. @throws Error when it ends */
    async address(before = 0): Promise<string> {
      for (;;) {
        const url = /listens at (http:\S+)/.exec(log.slice(before))?.[1]
        if (url) return url
        if (isOver) throw new Error(`The app has not started: ${log.slice(before)}`)
        await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), over])
      }
    },
  }
}

/** The example app as a process of its own on a free port, with its manifest pointed at it. */
export async function startNotesApp(start: Start): Promise<NotesApp> {
  const child = spawn(process.execPath, [join(ROOT, 'test/journeys/notes-app/server.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOf(start),
  })
  const output = outputOf(child)
  const url = await output.address()
  await pointAt(start.emulator, url)
  return {
    url,
    get: (path) => send(url + path),
    log: output.log,
    async stop() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/** Starts example apps that share a process, and end with it. The log of one has what the others print meanwhile. */
type StartBeside = (start: Start) => Promise<Omit<NotesApp, 'stop'>>

function startBeside(): { start: StartBeside; end: () => Promise<unknown> } {
  const child = fork(join(ROOT, 'test/harness/notes-apps.js'), { silent: true })
  const output = outputOf(child)
  let last: Promise<unknown> = Promise.resolve()
  return {
    async start(start) {
      const listening = last.then(async () => {
        const before = output.log().length
        child.send(environmentOf(start))
        return { before, url: await output.address(before) }
      })
      last = listening.catch(() => {})
      const { before, url } = await listening
      await pointAt(start.emulator, url)
      return { url, get: (path) => send(url + path), log: () => output.log().slice(before) }
    },
    end() {
      child.disconnect()
      return once(child, 'exit')
    },
  }
}

/** Pushes the app's manifest again, the same version, with the addresses at which it runs now. */
async function pointAt(emulator: string, url: string) {
  await changeManifest(connect(emulator), {
    oauth: { install: true, authorize: { redirect_uris: [`${url}/callback`] } },
    webhook: { url: `${url}/webhook` },
    post_install_action: { url: `${url}/setup?from=platform` },
  })
}

interface Fixtures {
  emulator: Emulator
  startBeside: StartBeside
  variables: Record<string, string>
  app: Omit<NotesApp, 'stop'>
  /** A control call: `admin('faults', { … })`; without a body a GET. */
  admin: (path: string, body?: unknown, method?: string) => Promise<Answer>
  /** Installs the app; gives its installation, delivery and credentials. */
  install: (organization?: string) => Promise<Answer['body']>
  /** Pushes version 2.0.0 and upgrades an installation to it. */
  upgrade: (installation: string) => Promise<Answer['body']>
  fault: (match: object, effect: unknown, more?: object) => Promise<void>
  /** The statuses that the platform has given on a path, oldest first. */
  statuses: (path: string) => Promise<(number | null)[]>
  /** Sends the app a webhook, signed unless said otherwise. */
  deliver: (body: string, headers?: Record<string, string>) => Promise<Answer>
  /** The status of a probe: what the app says when it has to call the platform for an organization. */
  probe: (organization?: string) => Promise<number>
  browser: Browser
  /** Makes the browser one that is signed in on the platform. */
  signedIn: (user: string, browser?: Browser) => Promise<Browser>
  /** From `/login` to the end, allowing what is asked. */
  signIn: (browser?: Browser, start?: string) => ReturnType<Browser['open']>
  /** The address with a code to which Ada's browser is about to be sent, the app being installed in Acme. */
  callback: () => Promise<URL>
  /** Whose session a browser has: what `/me` says. */
  me: (browser?: Browser) => Promise<Answer['body']>
}

/** The default world with a clock stopped at the app's time; the example app runs beside it and is installed in Globex alone. */
export const test = base.extend<Fixtures>({
  emulator: async ({ settings }, use) => {
    // The app is a process of its own, which a slow machine may keep waiting.
    const ackWindow = '1m'
    await using emulator = await startEmulator({ seed: 'notes', now: new Date().toISOString(), ackWindow, ...settings })
    await use(emulator)
  },

  startBeside: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
    async ({}, use) => {
      const { start, end } = startBeside()
      await use(start)
      await end()
    },
    { scope: 'file' },
  ],
  variables: {},
  app: async ({ emulator, folder, variables, startBeside }, use) => {
    const app = await startBeside({ emulator: emulator.url, folder, variables })
    await use(app)
    // Whatever has happened: no secret is in the log, nor is a stack.
    expect(app.log()).not.toMatch(/\b(at|rt|ac|ses)_|eyJ|notes_secret|notes_signing|\n +at /)
  },

  admin: async ({ call }, use) => {
    await use((path, body, method) =>
      call(`/_admin/${path}`, { ...(body !== undefined && { body }), ...(method && { method }) }),
    )
  },
  install: async ({ admin, app }, use) => {
    await use(async (organization = 'acme') => {
      const { status, body } = await admin('installations', { app: 'notes', organization })
      expect(status, `the installation with ${app.url}`).toBe(201)
      return body
    })
  },
  upgrade: async ({ admin, emulator }, use) => {
    await use(async (installation) => {
      await changeManifest(emulator.admin, { version: '2.0.0' })
      const { status, body } = await admin(`installations/${installation}/upgrade`, {})
      expect(status).toBe(201)
      return body
    })
  },
  fault: async ({ admin }, use) => {
    await use(async (match, effect, more = {}) => {
      expect((await admin('faults', { match, effect, ...more })).status).toBe(201)
    })
  },
  statuses: async ({ admin }, use) => {
    await use(async (path) => {
      const { body } = await admin(`requests?path=${encodeURIComponent(path)}`)
      return body.data.map(({ status }: { status: number | null }) => status)
    })
  },
  deliver: async ({ app }, use) => {
    await use((body, headers) =>
      send(`${app.url}/webhook`, {
        method: 'POST',
        raw: body,
        headers: { 'content-type': 'application/json', 'platform-signature': signatureOf(body), ...headers },
      }),
    )
  },
  probe: async ({ app }, use) => {
    await use(async (organization = 'acme') => (await app.get(`/organizations/${organization}/courses`)).status)
  },

  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
  browser: async ({}, use) => {
    await use(createBrowser())
  },
  signedIn: async ({ admin, browser, emulator }, use) => {
    await use(async (user, of = browser) => {
      const { cookie } = (await admin('sessions', { user })).body
      of.cookies.set(new URL(emulator.url).hostname, new Map([[cookie.name, cookie.value]]))
      return of
    })
  },
  signIn: async ({ app, browser }, use) => {
    await use(async (of = browser, start = '/login') => {
      const consent = await of.open(app.url + start)
      const { action, fields } = formOf(consent.text)
      return of.submit(new URL(action, consent.url), { ...fields, decision: 'allow' })
    })
  },
  callback: async ({ app, admin, browser, install, signedIn }, use) => {
    await use(async () => {
      if ((await admin('installations?organization=acme')).body.data.length === 0) await install()
      await signedIn('ada')
      const { headers } = await browser.peek(`${app.url}/login`)
      const silently = new URL(headers.get('location') ?? '')
      silently.searchParams.set('prompt', 'none')
      const answer = await browser.peek(silently)
      return new URL(answer.headers.get('location') ?? '')
    })
  },
  me: async ({ app, browser }, use) => {
    await use(async (of = browser) => {
      const { status, text } = await of.open(`${app.url}/me`)
      return status === 200 ? JSON.parse(text) : status
    })
  },
})
