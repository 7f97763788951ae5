import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { Durability } from '../../foundation/store/store.js'
import type { RecordTexts, StoreContents } from '../../foundation/store/store-document.js'
import type { StoreFile } from '../../foundation/store/store-file.js'
import { StoreWriteError } from '../../foundation/store/store-write-error.js'

/** Keeps a world in its file, from `begin` to `close`. @param file undefined for a world in memory. */
export function createWorldFile(file: StoreFile | undefined, seededFrom: string) {
  let durable: StoreFile | undefined
  const durability: Durability = {
    append: (...change) => orRefuse(() => durable?.append(...change)),
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

/** @throws Refusal 507 when the change cannot be written. wire: §2 */
function orRefuse(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof StoreWriteError)) throw error
    throw new Refusal('store_unwritable', { reason: error.message })
  }
}
