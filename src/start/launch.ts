import { setMaxListeners } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { adminRoutes } from '../admin/admin.routes.js'
import { adminSurface } from '../admin/admin.surface.js'
import { consoleRoutes } from '../admin/console.routes.js'
import { publishEvents, streamRoutes } from '../admin/stream.routes.js'
import { apiRoutes } from '../api/api.routes.js'
import { apiSurface } from '../api/api.surface.js'
import { createRateLimiter } from '../api/rate-limit.js'
import { createInstallationListener } from '../apps/installation-listener.js'
import { createHolds } from '../faults/holds.js'
import { createFindings } from '../findings/findings.js'
import { type Fixtures, hashOf, readSources, secretsOf, settingsOfSources } from '../fixtures/fixture-sources.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import type { FixtureSource } from '../fixtures/place.js'
import { Refusal } from '../http/refusal.js'
import { createListener } from '../http/router.js'
import type { Surface } from '../http/surface.js'
import { createJournal } from '../journal/journal.js'
import { createStream } from '../journal/stream.js'
import { createKeyRing } from '../oauth/keys.js'
import { oauthRoutes } from '../oauth/oauth.routes.js'
import { oauthSurface } from '../oauth/oauth.surface.js'
import { createScenarios } from '../scenarios/scenarios.js'
import type { RecordOf } from '../store/kind.js'
import type { SnapshotDocument } from '../store/snapshot-document.js'
import { StartRefusal } from '../store/start-refusal.js'
import { createStore } from '../store/store.js'
import { openStoreFile, type StoreFile, StoreWriteError } from '../store/store-file.js'
import { localAuthority } from '../tls/authority.js'
import { authorizeRoutes, authorizeSurface } from '../web-app/authorize.routes.js'
import { createFormKey } from '../web-app/forms.js'
import { webRoutes } from '../web-app/web.routes.js'
import { webSurface } from '../web-app/web.surface.js'
import { createInboxes } from '../webhooks/inbox.js'
import { inboxRoutes } from '../webhooks/inbox.routes.js'
import { inboxSurface } from '../webhooks/inbox.surface.js'
import { createOutbox } from '../webhooks/outbox.js'
import { createPost } from '../webhooks/post.js'
import { createClock, startClock } from '../world/clock.js'
import { createRandom } from '../world/random.js'
import {
  checkSettings,
  type GivenSettings,
  resolveSettings,
  type SettingOptions,
  settingsFromEnvironment,
} from '../world/settings.js'
import { version } from '../world/version.js'
import { START, type World } from '../world/world.js'
import { namingFixtures } from './invalid-fixtures-error.js'
import { kinds } from './kinds.js'

/** What a person says of an emulator to be started. */
export interface StartOptions extends SettingOptions {
  /** The world to begin with: documents, or paths of files that hold one. The default world when left out. */
  fixtures?: Fixtures | undefined
  /** Begins again from the fixtures; the store that is there is kept beside the new one. */
  fresh?: boolean | undefined
  /** Goes on with the store that is there, whatever fixtures it was seeded from. */
  resume?: boolean | undefined
  /** Told of errors that are the emulator's own; they go to standard error when left out. */
  onInternalError?: ((error: unknown) => void) | undefined
}

/** What this program says beside. */
export interface LaunchOptions extends StartOptions {
  /** What holds where neither option, environment nor fixture says otherwise, instead of wire: §8's own defaults. */
  defaults?: SettingOptions
  /** False: no webhook is sent for the installations of the fixtures that ask for theirs. */
  announce?: boolean
  /** Which of the process's worlds this is; 0 when left out. */
  index?: number
  /** Every world of the process; this one adds itself. */
  neighbours?: { index: number; url: string }[]
}

/** An emulator that serves. */
export interface Running {
  /** The address it answers at: `{base_url}`. */
  url: string
  /** What it is made of. */
  world: World
  /** What there was to say of its store, such as a torn last line that was dropped. */
  notes: string[]
  /** Stops listening, cuts open connections, and ends when everything is written. */
  close(): Promise<void>
}

/**
 * Starts an emulator in this process, on any free port unless told otherwise. The one place where it is put together.
 * @throws InvalidSettingsError, InvalidFixturesError with everything that is wrong.
 * @throws StartRefusal when the port is taken, or the store is in use, unreadable or seeded from other fixtures.
 */
export async function launch(options: LaunchOptions = {}): Promise<Running> {
  const { fixtures, fresh, resume, index = 0, neighbours = [], onInternalError = reportInternalError } = options
  const defaults = { port: 0, ...checkSettings(options.defaults ?? {}) }
  const given = givenSettings(options)
  const sources = await namingFixtures(() => readSources(fixtures))
  const fromSources = settingsOfSources(sources)
  const storePath = given.store ?? fromSources.store ?? defaults.store ?? 'memory'
  const file = storePath === 'memory' ? undefined : await openStoreFile(storePath, { kinds, version, fresh })
  let server: Server | undefined
  try {
    const loaded = file?.loaded
    const seeded_from = hashOf(sources)
    if (loaded && fixtures !== undefined && !resume && loaded.seeded_from !== seeded_from) {
      throw otherFixtures(storePath)
    }
    const seeding = loaded
      ? ((loaded.collections.fixture_settings?.[0] as RecordOf<'fixture_settings'> | undefined)
          ?.values as GivenSettings)
      : fromSources
    const random = createRandom(given.seed ?? seeding?.seed)
    let durable: StoreFile | undefined
    const store = createStore({ kinds, random, durability: { append: (...change) => appendTo(durable, ...change) } })
    const closing = new AbortController()
    // Every request under way listens to it.
    setMaxListeners(0, closing.signal)

    let listening = ''
    const settingsOf = cachedBy((fixture: RecordOf<'fixture_settings'> | undefined) =>
      resolveSettings(given, fixture?.values ?? {}, defaults),
    )
    const world: World = {
      store,
      random,
      clock: createClock(store),
      journal: createJournal(() => world),
      stream: createStream(),
      post: createPost(() => world),
      outbox: createOutbox(
        () => world,
        createInstallationListener(() => world),
      ),
      inboxes: createInboxes(),
      keys: createKeyRing(() => world),
      rateLimiter: createRateLimiter(),
      holds: createHolds(store),
      findings: createFindings(
        () => world,
        () => performance.now(),
      ),
      scenarios: createScenarios(() => world),
      formKey: createFormKey(given.seed ?? seeding?.seed),
      get settings() {
        return settingsOf(store.fixture_settings.get('settings'))
      },
      get addresses() {
        const { settings } = world
        const app_url = settings.app_url ?? listening
        return { base_url: listening, app_url, browser_url: settings.browser_url ?? app_url }
      },
      origin: {
        world: loaded ? 'resumed' : 'seeded',
        store: storePath,
        fixture_secrets: loaded?.fixture_secrets ?? [],
        worlds: neighbours,
        given,
      },
      closing: closing.signal,
    }
    world.journal.onEntry((entry) => world.findings.judge(entry))
    if (loaded) {
      store.load(loaded.collections as Parameters<typeof store.load>[0], loaded.counters)
    } else {
      await namingFixtures(async () => seedWorld(world, sources, { ...seeding, ...given }, options.announce !== false))
      world.origin.fixture_secrets = secretsOf(sources)
    }

    // Requests that come while the store is being written wait for it.
    let begin = () => {}
    const ready = new Promise<void>((resolve) => {
      begin = resolve
    })
    const listener = createListener(world, createSurfaces(), onInternalError)
    const listeningServer = await createServerFor(world, (request, response) => {
      void ready.then(() => listener(request, response))
    })
    server = listeningServer
    // A client that sends on a kept connection just as its time is over gets a reset: the clients end them, or close().
    server.keepAliveTimeout = 0
    const { port, host } = world.settings
    const actualPort = await listen(listeningServer, port, host)
    listening = world.settings.https ? `https://localhost:${actualPort}` : `http://127.0.0.1:${actualPort}`
    neighbours.push({ index, url: listening })
    await file?.begin(() => contentsOf(world, seeded_from))
    durable = file
    publishEvents(world)
    world.keys.prepare()
    // The webhooks that fixtures ask for are sent now, and not again after a reset.
    store.mark(START, world.clock.timestamp(), neverSent(world))
    world.outbox.resume()
    begin()

    return {
      url: listening,
      world,
      notes: file?.notes ?? [],
      async close() {
        closing.abort()
        world.clock.close()
        world.keys.close()
        world.outbox.abortAll()
        await new Promise<void>((resolve) => {
          listeningServer.close(() => resolve())
          listeningServer.closeAllConnections()
        })
        await file?.close(() => contentsOf(world, seeded_from))
        durable = undefined
      },
    }
  } catch (error) {
    server?.close()
    file?.abandon()
    throw error
  }
}

const createSurfaces = (): Surface[] => [
  apiSurface(apiRoutes),
  authorizeSurface(authorizeRoutes),
  oauthSurface(oauthRoutes),
  adminSurface([...adminRoutes, ...streamRoutes, ...consoleRoutes]),
  inboxSurface(inboxRoutes),
  webSurface(webRoutes),
]

/** @throws InvalidSettingsError naming what is not a setting or has a value that it cannot have. */
export function givenSettings(options: LaunchOptions): GivenSettings {
  const {
    fixtures: _,
    fresh: __,
    resume: ___,
    index: ____,
    neighbours: _____,
    onInternalError: ______,
    defaults: _______,
    announce: ________,
    ...settings
  } = options
  return {
    ...checkSettings(settingsFromEnvironment(process.env)),
    ...checkSettings(Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))),
  }
}

const otherFixtures = (file: string) =>
  new StartRefusal(
    2,
    `The store ${file} was seeded from other fixtures than those given. Start with --fresh to seed it again ` +
      '(the old store is kept beside it), or with --resume to go on with it as it is.',
  )

function contentsOf({ store, origin: { fixture_secrets } }: World, seeded_from: string) {
  const collections: SnapshotDocument['collections'] = {}
  for (const [name, record] of store.records()) {
    collections[name] ??= []
    collections[name].push(record)
  }
  return { seeded_from, fixture_secrets, counters: store.counters(), collections }
}

/** The first content of a world. */
function seedWorld(world: World, sources: FixtureSource[], settings: GivenSettings, announce: boolean): void {
  world.store.change((tx) => {
    tx.put('clock', startClock(settings))
    loadFixtures(world, tx, sources, { keepSequences: sources.length === 1, announce })
  })
}

/** The announcements of installations whose first attempt has never begun, also when a kill came before it. */
const neverSent = ({ store }: World): ['deliveries', string][] =>
  [...store.deliveries.in('open', 'all')]
    .filter(({ event, attempts, held }) => event.type === 'app.installed' && attempts.length === 0 && held === null)
    .map(({ id }) => ['deliveries', id])

/** @throws Refusal 507 when the change cannot be written. wire: §2 */
function appendTo(file: StoreFile | undefined, ...change: Parameters<StoreFile['append']>): void {
  try {
    file?.append(...change)
  } catch (error) {
    if (!(error instanceof StoreWriteError)) throw error
    throw new Refusal('store_unwritable', { reason: error.message })
  }
}

/** A server of http, or of https with a certificate of the local authority; node-forge is loaded only then. */
async function createServerFor(world: World, listener: RequestListener): Promise<Server> {
  const { https, app_url, browser_url, trust_hosts } = world.settings
  if (!https) return createServer(listener)
  const origins = [app_url, browser_url].filter((url) => url !== undefined)
  const hosts = [...origins.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, '')), ...trust_hosts]
  const [tls, { serverCertificate }, authority] = await Promise.all([
    import('node:https'),
    import('../tls/certificates.js'),
    localAuthority(),
  ])
  return tls.createServer(await serverCertificate(authority, hosts), listener)
}

/** Resolves with the port. @throws StartRefusal when it is taken or the address is not this machine's. */
const listen = (server: Server, port: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`
      const why = error.code === 'EADDRINUSE' ? taken : `Cannot listen on ${host}:${port}: ${error.message}`
      reject(new StartRefusal(1, why))
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve((server.address() as AddressInfo).port)
    })
  })

/** Makes a value anew only when what it is made of is another: a record that is put or rolled back. */
function cachedBy<K, V>(make: (key: K) => V): (key: K) => V {
  let made: { key: K; value: V } | undefined
  return (key) => {
    if (!made || made.key !== key) made = { key, value: make(key) }
    return made.value
  }
}

const reportInternalError = (error: unknown) =>
  void process.stderr.write(`mockademy: internal error: ${inspect(error)}\n`)
