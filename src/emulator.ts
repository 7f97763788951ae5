import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { adminRoutes } from './admin/admin.routes.js'
import { adminSurface } from './admin/admin.surface.js'
import { apiRoutes } from './api/api.routes.js'
import { apiSurface } from './api/api.surface.js'
import { createRateLimiter } from './api/rate-limit.js'
import { type Admin, connect } from './client/connect.js'
import { createClock, startClock } from './clock.js'
import { createHolds } from './faults/holds.js'
import { createListener } from './http.js'
import { createJournal } from './journal/journal.js'
import { createKeyRing } from './oauth/keys.js'
import { oauthRoutes } from './oauth/oauth.routes.js'
import { oauthSurface } from './oauth/oauth.surface.js'
import { createRandom } from './random.js'
import type { Surface } from './request.js'
import { checkSettings, resolveSettings, type SettingOptions, settingsFromEnvironment } from './settings.js'
import { type FixtureSource, loadFixtures } from './store/compile-fixtures.js'
import type { FixtureDocument } from './store/document.js'
import { createStore } from './store/store.js'
import { webRoutes } from './web-app/web.routes.js'
import { webSurface } from './web-app/web.surface.js'
import { createInboxes } from './webhooks/inbox.js'
import { inboxRoutes } from './webhooks/inbox.routes.js'
import { inboxSurface } from './webhooks/inbox.surface.js'
import { createOutbox } from './webhooks/outbox.js'
import { createPost } from './webhooks/post.js'
import type { World } from './world.js'

const DEFAULT_WORLD = new URL('../fixtures/default.json', import.meta.url)
const DEFAULT_NOW = '2026-01-01T00:00:00Z'
/** The baseline that reset goes back to; snapshots cannot take its name, since theirs begin otherwise. */
export const START = 'start'

export interface StartOptions extends SettingOptions {
  /** The world to begin with: documents, or paths of files that hold one. The default world when left out. */
  fixtures?: (FixtureDocument | string)[] | FixtureDocument | string
  /** Told of errors that are the emulator's own fault; standard error when left out. */
  onInternalError?: (error: unknown) => void
}

export interface Emulator {
  /** The address it answers at: `{base_url}`. */
  url: string
  baseUrl: string
  appUrl: string
  /** The control API, typed. control-api: "Typed client" */
  admin: Admin
  /** What it is made of. */
  world: World
  /** Stops listening, cuts open connections, and ends when everything is written. */
  close(): Promise<void>
}

/**
 * Starts an emulator in this process, on any free port unless told otherwise. The one place where it is put together.
 * @throws Refusal `invalid` for settings and fixtures that are not valid, with every fault.
 */
export async function startEmulator(options: StartOptions = {}): Promise<Emulator> {
  const { fixtures, onInternalError = reportInternalError, ...settingOptions } = options
  const given = {
    ...checkSettings(settingsFromEnvironment(process.env)),
    ...definedOnly(checkSettings(definedOnly(settingOptions))),
  }
  const { seed } = given
  const random = createRandom(seed)
  const store = createStore({ random })
  const closing = new AbortController()

  let settings = resolveSettings({ port: 0, ...given })
  const applySettings = () => {
    settings = resolveSettings({ port: 0, ...given }, store.fixture_settings.get('settings')?.values ?? {})
  }
  store.onChange((changes) => {
    if (changes.some(({ collection }) => collection === 'fixture_settings')) applySettings()
  })

  let listening = ''
  const world: World = {
    store,
    random,
    clock: createClock(store),
    journal: createJournal(),
    post: createPost(() => world),
    outbox: createOutbox(() => world),
    inboxes: createInboxes(),
    keys: createKeyRing(() => world),
    rateLimiter: createRateLimiter(),
    holds: createHolds(store),
    get settings() {
      return settings
    },
    get addresses() {
      const app_url = settings.app_url ?? listening
      return { base_url: listening, app_url, browser_url: settings.browser_url ?? app_url }
    },
    origin: { world: 'seeded', store: 'memory', worlds: [], given },
    closing: closing.signal,
  }

  const now = given.now ?? (seed === undefined ? undefined : DEFAULT_NOW)
  const sources = await readSources(fixtures)
  const { announce } = store.change((tx) => {
    tx.put('clock', startClock(now === undefined ? undefined : Date.parse(now)))
    return loadFixtures(world, tx, sources, { keepSequences: sources.length === 1 })
  })
  applySettings()

  const surfaces: Surface[] = [
    apiSurface(apiRoutes),
    oauthSurface(oauthRoutes),
    adminSurface(adminRoutes),
    inboxSurface(inboxRoutes),
    webSurface(webRoutes),
  ]
  const server = createServer(createListener(world, surfaces, onInternalError))
  const port = await listen(server, settings.port, settings.host)
  listening = `http://127.0.0.1:${port}`
  world.origin.worlds.push({ index: 0, url: listening })
  store.mark(START, world.clock.timestamp())
  world.outbox.resume()
  world.outbox.announce(announce)

  return {
    url: listening,
    baseUrl: listening,
    appUrl: world.addresses.app_url,
    admin: connect(listening, { adminToken: settings.admin_token }),
    world,
    async close() {
      closing.abort()
      world.clock.close()
      world.keys.close()
      world.outbox.abortAll()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

/** Resolves with the port. Rejects as `listen` fails: `EADDRINUSE` when it is taken. */
const listen = (server: Server, port: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })

async function readSources(fixtures: StartOptions['fixtures']): Promise<FixtureSource[]> {
  const given = fixtures === undefined ? [DEFAULT_WORLD] : [fixtures].flat()
  return Promise.all(
    given.map(async (source) => {
      if (typeof source !== 'string' && !(source instanceof URL)) return { document: source }
      const document: unknown = JSON.parse(await readFile(source, 'utf8'))
      return given.length > 1 || fixtures !== undefined ? { file: String(source), document } : { document }
    }),
  )
}

const reportInternalError = (error: unknown) =>
  void process.stderr.write(`mockademy: internal error: ${inspect(error)}\n`)

const definedOnly = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
