import { setMaxListeners } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { createApp, type Dispatch } from '../../emulator/serving/app.js'
import { startClock } from '../../emulator/world/clock.js'
import { createRandom } from '../../emulator/world/random.js'
import type { GivenSettings } from '../../emulator/world/setting-table.js'
import { version } from '../../emulator/world/version.js'
import { START, type World } from '../../emulator/world/world.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { openStoreFile } from '../../foundation/store/open-store-file.js'
import { StartError } from '../../foundation/store/start-error.js'
import { createStore } from '../../foundation/store/store.js'
import { publishEvents } from '../admin/publish-events.js'
import type { Fixtures } from '../fixtures/fixture-sources.js'
import { readSeed, type Seed } from '../fixtures/seed.js'
import { expireSandboxes } from '../sandboxes/end-sandbox.js'
import { otlpSettings } from '../traces/otlp-settings.js'
import { createWorld } from './create-world.js'
import { namingFixtures } from './invalid-fixtures-error.js'
import { kinds } from './kinds.js'
import { createServerFor, listen } from './server.js'
import { controlSurface, surfaces, warmUp } from './surfaces.js'
import { createWorldFile } from './world-file.js'

/** Options of `launch`. */
export interface LaunchOptions {
  fixtures?: Fixtures | undefined
  onInternalError?: ((error: unknown) => void) | undefined
  /** Settings, checked: flags or options over variables. Stronger than those of the fixtures. */
  explicitSettings?: GivenSettings
  /** Settings that replace the usual defaults; weaker than those of the fixtures. */
  defaults?: GivenSettings
  fresh?: boolean
  resume?: boolean
  /** The seed that `fixtures` make, when it has already been read. */
  from?: Seed
  /** False: no webhook is sent for the installations of the fixtures that ask for theirs. */
  announce?: boolean
  /** True when links must not lead the store out of the working folder; by default, when `explicitSettings` does not name it. */
  confined?: boolean
  /** Number of this world, if the process has several: a part of its store's name. */
  index?: number
  /** Every world of the process; this one adds itself. */
  neighbours?: { index: number; url: string }[]
}

/** An emulator that serves. */
export interface Running {
  /** Its address: `{base_url}`. */
  url: string
  world: World
  /** Warnings, e.g. that a truncated last line of the store was dropped. */
  notes: string[]
  /** Sends a control call without a connection. */
  dispatch: Dispatch
  /** Makes the present world the one that a reset goes back to. */
  markStart(): void
  /** Stops listening, cuts open connections, and resolves when everything is written. */
  close(): Promise<void>
}

const KEPT_CLOCK =
  'The store keeps its clock, so "now" has no effect: it applies to a new world (--fresh). `mockademy clock freeze` sets the clock.'

const unreachable = (url: string, host: string) =>
  `The emulator does not answer at ${url}, the address that it gives to apps, because the host is ${host}. Use 127.0.0.1, or 0.0.0.0 or :: for every address.`

/** Returns true when a server that listens answers at the address, which names 127.0.0.1 or `localhost`. wire: §1 */
function isReachedAt(url: string, server: Server): boolean {
  const { address } = server.address() as AddressInfo
  return ['127.0.0.1', '0.0.0.0', '::', ...(url.startsWith('https:') ? ['::1'] : [])].includes(address)
}

/**
 * Starts an emulator in this process, on any free port unless the settings name one. All its parts are put together here.
 * @throws InvalidFixturesError with every issue of the fixtures.
 * @throws StartError when the port is taken, or the store is in use, unreadable or seeded from other fixtures.
 */
export async function launch(options: LaunchOptions = {}): Promise<Running> {
  const { explicitSettings = {}, fixtures, fresh, resume, index = 0, neighbours = [] } = options
  const defaults = { port: 0, ...options.defaults }
  const seed = options.from ?? (await namingFixtures(() => readSeed(fixtures)))
  const { hash } = seed
  const named = explicitSettings.store ?? seed.settings.store ?? defaults.store ?? 'memory'
  const storePath = options.index === undefined ? named : storeOf(named, index)
  const within = (options.confined ?? explicitSettings.store === undefined) ? process.cwd() : undefined
  const spans = await exporterOf(process.env)
  const file = storePath === 'memory' ? undefined : await openStoreFile(storePath, { kinds, version, fresh, within })
  let server: Server | undefined
  try {
    const loaded = file?.loaded
    if (loaded && fixtures !== undefined && !resume && loaded.seeded_from !== hash) throw otherFixtures(storePath)
    const seeding = loaded
      ? ((loaded.collections.get('fixture_settings')?.[0] as RecordOf<'fixture_settings'> | undefined)
          ?.values as GivenSettings)
      : seed.settings
    const random = createRandom(explicitSettings.seed ?? seeding?.seed)
    const worldFile = createWorldFile(file, hash)
    const store = createStore({ kinds, random, durability: worldFile.durability })
    const closing = new AbortController()
    // Every request under way listens to it.
    setMaxListeners(0, closing.signal)
    const address = { listening: '' }
    const world = createWorld({
      store,
      random,
      explicitSettings,
      defaults,
      address,
      seed: explicitSettings.seed ?? seeding?.seed,
      origin: {
        world: loaded ? 'resumed' : 'seeded',
        store: storePath,
        fixture_secrets: loaded?.fixture_secrets ?? [],
        counts: {},
        worlds: neighbours,
        explicitSettings,
      },
      closing: closing.signal,
      spans,
    })
    if (loaded) {
      store.load(loaded.collections, loaded.counters)
    } else {
      await seedWorld(world, seed, { ...seeding, ...explicitSettings }, options.announce !== false)
      world.origin.fixture_secrets = seed.secrets()
    }

    // Requests that come while the store is being written wait for it.
    const waiting: (() => void)[] = []
    let serving = false
    const begin = () => {
      serving = true
      for (const listen of waiting.splice(0)) listen()
    }
    const { classes, listener, dispatch, onConnection } = createApp(
      world,
      surfaces,
      controlSurface,
      options.onInternalError ?? reportInternalError,
      world.liberties.respondFreely,
    )
    const listeningServer = await createServerFor(world, classes, (request, response) => {
      if (serving) listener(request, response)
      else waiting.push(() => listener(request, response))
    })
    server = listeningServer
    server.on('connection', onConnection)
    // A client that sends on a kept connection just as its time is over gets a reset: the clients end them, or close().
    server.keepAliveTimeout = 0
    const { port, host } = world.settings
    const actualPort = await listen(listeningServer, port, host)
    const url = world.settings.https ? `https://localhost:${actualPort}` : `http://127.0.0.1:${actualPort}`
    address.listening = url
    neighbours.push({ index, url })
    await worldFile.begin(world)
    publishEvents(world)
    expireSandboxes(world)
    spans?.watch(world)
    world.coverage.watch()
    // The webhooks that fixtures ask for are sent now, and not again after a reset.
    const markStart = () => {
      store.mark(START, world.clock.timestamp(null), neverSent(world))
      world.origin.counts = store.counts()
    }
    markStart()
    world.outbox.resume()
    begin()
    const stopWarmUp = warmUp(world)

    return {
      url,
      world,
      notes: [
        ...(file?.notes ?? []),
        ...(loaded && explicitSettings.now !== undefined ? [KEPT_CLOCK] : []),
        ...(isReachedAt(url, listeningServer) ? [] : [unreachable(url, host)]),
      ],
      dispatch,
      markStart,
      async close() {
        closing.abort()
        stopWarmUp()
        world.clock.close()
        world.keys.close()
        world.outbox.abort()
        await new Promise<void>((resolve) => {
          listeningServer.close(() => resolve())
          listeningServer.closeAllConnections()
        })
        const dropped = (await spans?.close()) ?? 0
        if (dropped > 0) process.stderr.write(`mockademy: spans that could not be exported: ${dropped}\n`)
        await worldFile.close(world)
      },
    }
  } catch (error) {
    server?.close()
    file?.abandon()
    throw error
  }
}

/** Creates the exporter of spans when the environment asks for one. Nothing of it is loaded otherwise. */
async function exporterOf(environment: NodeJS.ProcessEnv) {
  const settings = otlpSettings(environment)
  if (!settings) return undefined
  const { createSpanExporter } = await import('../traces/exporter.js')
  return createSpanExporter(settings, () => performance.timeOrigin + performance.now())
}

/** `.mockademy/store.json` of world 2 is `.mockademy/store.2.json`. */
const storeOf = (store: string, index: number) =>
  store === 'memory' ? store : store.replace(/(\.[^./\\]+)?$/, `.${index}$1`)

const otherFixtures = (file: string) =>
  new StartError(
    2,
    `The store ${file} was seeded from other fixtures than those given. Start with --fresh to seed it again ` +
      '(the old store is kept beside it), or with --resume to continue with it unchanged.',
  )

/** The first content of a world. In a function of its own, lest what closes the emulator keep the seed in memory. */
function seedWorld(world: World, seed: Seed, settings: GivenSettings, announce: boolean): Promise<void> {
  return namingFixtures(async () =>
    world.store.change((tx) => {
      tx.put('clock', startClock(settings))
      seed.put(world, tx, announce)
    }),
  )
}

/** The announcements of installations whose first attempt has never begun, also when a kill came before it. */
const neverSent = ({ store }: World): ['deliveries', string][] =>
  [...store.deliveries.in('open', 'all')]
    .filter(({ event, attempts, held }) => event.type === 'app.installed' && attempts.length === 0 && held === null)
    .map(({ id }) => ['deliveries', id])

const reportInternalError = (error: unknown) =>
  void process.stderr.write(`mockademy: internal error: ${inspect(error)}\n`)
