import { setMaxListeners } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { startClock } from '../../emulator/world/clock.js'
import { createRandom, type Random } from '../../emulator/world/random.js'
import type { GivenSettings } from '../../emulator/world/setting-table.js'
import { version } from '../../emulator/world/version.js'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { openStoreFile } from '../../foundation/store/open-store-file.js'
import { StartError } from '../../foundation/store/start-error.js'
import { createStore, type Durability } from '../../foundation/store/store.js'
import type { RecordTexts, StoreContents, StoreDocument } from '../../foundation/store/store-document.js'
import type { StoreFile } from '../../foundation/store/store-file.js'
import { StoreWriteError } from '../../foundation/store/store-write-error.js'
import { newestManifest } from '../../platform/apps/manifest.js'
import type { Fixtures } from '../fixtures/fixture-sources.js'
import { type InitialContent, readInitialContent } from '../fixtures/initial-content.js'
import { createWorld } from './create-world.js'
import { asFixtureErrors } from './invalid-fixtures-error.js'
import { kinds } from './kinds.js'

/** The sources of a world, and the place of its store. */
export interface OpenOptions {
  fixtures?: Fixtures | undefined
  /** Settings, checked: flags or options over variables. Stronger than those of the fixtures. */
  explicitSettings?: GivenSettings
  /** Settings that replace the usual defaults; weaker than those of the fixtures. */
  defaults?: GivenSettings
  fresh?: boolean
  resume?: boolean
  /** Id of an app whose manifest will be pushed after the start; the store may hold an older manifest of it. */
  pushes?: string
  /** Content of `fixtures`, if it has already been read. */
  content?: InitialContent
  /** Folder that the store must not leave through links; false: anywhere. By default the working folder, unless `explicitSettings` names the store. */
  within?: string | false
  /** Number of this world, if the process has several: a part of its store's name. */
  index?: number
  /** Every world of the process; `launch` adds this one. */
  worlds?: { index: number; url: string }[]
}

const KEPT_CLOCK =
  'The store keeps its clock, so "now" has no effect: it applies to a new world (--fresh). `mockademy clock freeze` sets the clock.'

/**
 * Opens the world of an emulator, from its store or else from the fixtures.
 * @returns the world; its file, which is not written yet; the address that it gives to apps, still to be set; the signal
 *   that ends its requests; and warnings, e.g. that a truncated last line of the store was dropped.
 * @throws InvalidFixturesError with every issue of the fixtures.
 * @throws StartError when the store is in use, unreadable or seeded from other fixtures.
 */
export async function openWorld(options: OpenOptions, spans: World['spans']) {
  const { explicitSettings = {}, fixtures, fresh, resume, index, worlds = [] } = options
  const defaults = { port: 0, ...options.defaults }
  const content = options.content ?? (await asFixtureErrors(() => readInitialContent(fixtures)))
  const named = explicitSettings.store ?? content.settings.store ?? defaults.store ?? 'memory'
  const storePath = index === undefined ? named : storeOf(named, index)
  const { within = explicitSettings.store === undefined && process.cwd() } = options
  const storeOptions = { kinds, version, fresh, within: within || undefined }
  const file = storePath === 'memory' ? undefined : await openStoreFile(storePath, storeOptions)
  try {
    const loaded = file?.loaded
    if (loaded && fixtures !== undefined && !resume && !wasSeededFrom(content, loaded, options.pushes)) {
      throw otherFixtures(storePath)
    }
    const [kept] = (loaded?.collections.get('fixture_settings') ?? []) as RecordOf<'fixture_settings'>[]
    const settings: GivenSettings | undefined = loaded ? kept?.values : content.settings
    const seed = explicitSettings.seed ?? settings?.seed
    const random: Random = createRandom(seed, (text) => store.isTaken(text))
    const worldFile = createWorldFile(file, content.hash)
    const store = createStore({ kinds, random, durability: worldFile.durability })
    const closing = new AbortController()
    try {
      // Every request under way listens to it.
      setMaxListeners(0, closing.signal)
    } catch {
      // The signals of jsdom and happy-dom, which replace Node's, have no limit.
    }
    const address = { listening: '' }
    const world = createWorld({
      store,
      random,
      defaults,
      address,
      seed,
      origin: {
        world: loaded ? 'resumed' : 'seeded',
        store: storePath,
        fixture_secrets: loaded?.fixture_secrets ?? [],
        counts: {},
        worlds,
        explicitSettings,
      },
      closing: closing.signal,
      spans,
    })
    if (loaded) {
      world.store.load(loaded.collections, loaded.counters)
    } else {
      await asFixtureErrors(async () => {
        world.store.change((tx) => {
          tx.put('clock', startClock({ ...settings, ...explicitSettings }))
          content.put(world, tx)
        })
        world.origin.fixture_secrets = content.secrets()
      })
    }
    const notes = [...(file?.notes ?? []), ...(loaded && explicitSettings.now !== undefined ? [KEPT_CLOCK] : [])]
    return { world, worldFile, address, closing, notes }
  } catch (error) {
    file?.abandon()
    throw error
  }
}

/** `.mockademy/store.json` of world 2 is `.mockademy/store.2.json`. */
const storeOf = (store: string, index: number) =>
  store === 'memory' ? store : store.replace(/(\.[^./\\]+)?$/, `.${index}$1`)

/**
 * Returns true if the store was seeded from these fixtures, or from fixtures that differ only in a manifest that has been
 * pushed since or will be. design: "The store"
 */
function wasSeededFrom(
  { hash, manifest }: InitialContent,
  { seeded_from, collections }: StoreDocument,
  pushes: string | undefined,
): boolean {
  const [whole, rest] = hash.split(' ')
  // A store of 0.1.0 has only the first digest.
  const [storedWhole, storedRest] = seeded_from.split(' ')
  if (whole === storedWhole) return true
  if (rest !== storedRest || !isObject(manifest)) return false
  if (pushes !== undefined && manifest.id === pushes) return true
  const apps = (collections.get('apps') ?? []) as RecordOf<'apps'>[]
  // A record has the default that the fixture may omit.
  return apps.some((app) => isDeepStrictEqual(newestManifest(app), { permissions: [], ...manifest }))
}

const otherFixtures = (file: string) =>
  new StartError(
    2,
    `The store ${file} was seeded from other fixtures than those given. Start with --fresh to seed it again ` +
      '(the old store is kept beside it), or with --resume to continue with it unchanged.',
  )

/** Keeps a world in its file, from `begin` to `close`. @param file undefined for a world in memory. */
function createWorldFile(file: StoreFile | undefined, seededFrom: string) {
  let durable: StoreFile | undefined
  const durability: Durability = {
    append(...change) {
      try {
        durable?.append(...change)
      } catch (error) {
        if (!(error instanceof StoreWriteError)) throw error
        // wire: §2
        throw new Refusal('store_unwritable', { reason: error.message })
      }
    },
  }
  return {
    durability,
    async begin(world: World) {
      await file?.begin(world.addresses.base_url, () => contentsOf(world, seededFrom))
      durable = file
    },
    async close(world: World) {
      await file?.close(() => contentsOf(world, seededFrom))
      durable = undefined
    },
    /** Unlocks the file without writing: the start failed. */
    abandon: () => file?.abandon(),
  }
}

const contentsOf = ({ store, origin: { fixture_secrets } }: World, seeded_from: string): StoreContents => ({
  seeded_from,
  fixture_secrets,
  counters: store.counters(),
  records: store.records().map(([collection, records]): RecordTexts => ({ collection, texts: textsOf(records) })),
})

function* textsOf(records: Iterable<unknown>): Generator<string> {
  for (const record of records) yield JSON.stringify(record)
}
