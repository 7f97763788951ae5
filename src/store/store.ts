import { Collection, type Entity } from './collection.js'
import type { AnyRecord, CollectionName, IndexOf, Kind, KindOf, RecordOf } from './kind.js'

/** One record before and after a change; null where there is none. */
export interface Change {
  collection: CollectionName
  id: string
  before: AnyRecord | null
  after: AnyRecord | null
}

/** Counters that go back with the records: the last sequence number given, and the seeded generator's draws. */
export interface Counters {
  sequence: number
  draws: number
}

/** What writes may do inside `store.change`. */
export interface Transaction {
  /** Adds the record, or replaces the one with its id. */
  put<C extends CollectionName>(collection: C, record: RecordOf<C>): void
  remove(collection: CollectionName, id: string): void
  /** The next sequence number. */
  next(): number
}

/** Where changes are made durable, before the answer is sent. Throws when it cannot; the change is then rolled back. */
export interface Durability {
  append(changes: Change[], counters: Counters): void
}

interface Baseline {
  created_at: string
  counters: Counters
  /** The records that have changed since, as they were then. Whatever is not in here is now as it was. */
  images: Map<string, { collection: CollectionName; id: string; record: AnyRecord | null }>
}

export interface StoreParts {
  /** Every kind of record that it holds. */
  kinds: { [C in CollectionName]: KindOf<C> }
  /** Shares the draws of the seeded generator with the journal file and the baselines. */
  random: { draws: number }
  durability?: Durability
}

export type Collections = { [C in CollectionName]: Collection<RecordOf<C>, IndexOf<C>> }

export type Store = ReturnType<typeof createStore>

/**
 * Records in memory, in collections (`store.elements.get(id)`, `store.elements.in('siblings', moduleId)`).
 * All writing goes through `change`.
 */
export function createStore({ kinds, random, durability }: StoreParts) {
  const collections = Object.fromEntries(
    Object.entries<Kind<never>>(kinds).map(([name, { indexes }]) => [name, new Collection(indexes)]),
  ) as unknown as Collections
  const baselines = new Map<string, Baseline>()
  const listeners = new Set<(changes: Change[]) => void>()
  let sequence = 0
  let open: Change[] | undefined

  const write = (name: CollectionName, id: string, record: AnyRecord | undefined) =>
    (collections[name] as Collection<AnyRecord & Entity>).write(id, record)

  const transaction: Transaction = {
    put(collection, record) {
      const before = write(collection, record.id, record) ?? null
      open?.push({ collection, id: record.id, before, after: record })
    },
    remove(collection, id) {
      const before = write(collection, id, undefined)
      if (before) open?.push({ collection, id, before, after: null })
    },
    next: () => ++sequence,
  }

  const counters = (): Counters => ({ sequence, draws: random.draws })

  const remember = (changes: Change[]) => {
    for (const { images } of baselines.values()) {
      for (const { collection, id, before } of changes) {
        const key = `${collection}/${id}`
        if (!images.has(key)) images.set(key, { collection, id, record: before })
      }
    }
  }

  const changed = (name: string, fallback: number) => baselines.get(name)?.images.size ?? fallback

  return {
    ...collections,

    /** When a record of that collection ended or will end by itself; null when it does not. */
    endOf: <C extends CollectionName>(collection: C, record: RecordOf<C>): string | null =>
      (kinds[collection] as unknown as Kind<RecordOf<C> & Entity>).endsAt?.(record) ?? null,

    /**
     * Makes a change: synchronous, all or nothing. When `work` throws, or the change cannot be made durable, every
     * record is as it was and the error goes on to the caller. A change within a change is part of the outer one.
     */
    change<T>(work: (tx: Transaction) => T): T {
      if (open) return work(transaction)
      const changes: Change[] = []
      const before = counters()
      open = changes
      let result: T
      try {
        result = work(transaction)
        if (changes.length > 0) durability?.append(changes, counters())
      } catch (error) {
        for (const { collection, id, before } of changes.toReversed()) write(collection, id, before ?? undefined)
        sequence = before.sequence
        random.draws = before.draws
        throw error
      } finally {
        open = undefined
      }
      if (changes.length > 0) {
        remember(changes)
        for (const listener of listeners) listener(changes)
      }
      return result
    },

    /** Fills an empty store, unrecorded: what a file or a fixture document held. */
    load(records: Partial<{ [C in CollectionName]: RecordOf<C>[] }>, at: Counters): void {
      for (const [name, list] of Object.entries(records)) {
        ;(collections[name as CollectionName] as Collection<AnyRecord & Entity>).load(list as AnyRecord[])
      }
      sequence = at.sequence
      random.draws = at.draws
    },

    counters,

    /** Sets the counters to those of a document that is the whole world. */
    setCounters(to: Counters): void {
      sequence = to.sequence
      random.draws = to.draws
    },

    /** Calls `listener` with every change after it is made; gives back what stops that. */
    onChange(listener: (changes: Change[]) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** Names the present state. A name that is taken is moved here. */
    mark(name: string, created_at: string): void {
      baselines.set(name, { created_at, counters: counters(), images: new Map() })
    },

    /** Goes to a named state, back or forward; costs what differs between here and there. False when there is none. */
    restore(name: string): boolean {
      const baseline = baselines.get(name)
      if (!baseline) return false
      const images = [...baseline.images.values()]
      this.change((tx) => {
        for (const { collection, id, record } of images) {
          if (record) tx.put(collection, record as RecordOf<typeof collection>)
          else tx.remove(collection, id)
        }
        sequence = baseline.counters.sequence
        random.draws = baseline.counters.draws
      })
      baseline.images.clear()
      return true
    },

    forget: (name: string): boolean => baselines.delete(name),

    /** Every named state, oldest first, with the number of records that differ from it now. */
    marks: () => [...baselines].map(([name, { created_at }]) => ({ name, created_at, changes: changed(name, 0) })),

    /** Every record, oldest first in each collection. */
    *records(): Generator<[CollectionName, AnyRecord]> {
      for (const [name, collection] of Object.entries(collections)) {
        for (const record of collection.all) yield [name as CollectionName, record]
      }
    },
  }
}
