import { Collection, type Entity, scalarsIn } from './collection.js'
import { type Counters, History, type RecordStep } from './history.js'
import type { AnyRecord, CollectionName, IndexOf, Kind, KindOf, RecordOf } from './kind.js'

/** One record before and after a change; null where there is none. */
export interface Change {
  collection: CollectionName
  id: string
  before: AnyRecord | null
  after: AnyRecord | null
}

/** The writes of `store.change`. */
export interface Transaction {
  /** Adds the record, or replaces the one with its id. @returns it. */
  put<C extends CollectionName>(collection: C, record: RecordOf<C>): RecordOf<C>
  /** Adds a new record, with the next sequence number. @returns it. @throws when there is one with its id. */
  add<C extends CollectionName>(collection: C, record: Omit<RecordOf<C>, 'sequence'>): RecordOf<C>
  remove(collection: CollectionName, id: string): void
  /** Removes a record with those that it owns, as the kinds declare (`ownedBy`). */
  removeWithOwned(collection: CollectionName, id: string): void
  next(): number
  /** Makes every text in `value` taken until the change ends. */
  reserve(value: unknown): void
}

/** Makes changes durable, before the response is sent. Throws when it cannot; the change is then rolled back. */
export interface Durability {
  /** @param trial begins or ends here, without changes: those in between are not appended. */
  append(changes: Change[], counters: Counters, trial?: TrialEvent): void
}

/** The events of a trial, whose changes are all undone in the end. */
export type TrialEvent = 'began' | 'ended'

export interface StoreParts {
  kinds: { [C in CollectionName]: KindOf<C> }
  /** The seeded generator. Its count of draws is saved with the records and restored with a named state. */
  random: { draws: number; restores: number }
  durability?: Durability
}

export type Collections = { [C in CollectionName]: Collection<RecordOf<C>, IndexOf<C>> }

export type Store = ReturnType<typeof createStore>

/** Creates collections of records in memory, such as `store.elements`. All writing goes through `change`. */
export function createStore({ kinds, random, durability }: StoreParts) {
  const collections = Object.fromEntries(
    Object.entries<Kind<never>>(kinds).map(([name, { indexes }]) => [name, new Collection(indexes)]),
  ) as unknown as Collections
  const history = new History((collection, id) => (collections[collection].get(id) as AnyRecord | undefined) ?? null)
  const listeners: ((changes: Change[]) => void)[] = []
  let sequence = 0
  let openChanges: Change[] | undefined
  /** Its texts are collected when the first id or secret is generated: an export generates none. */
  let reserved: { value?: unknown; texts?: Set<unknown> } = {}
  /** The state that the trial under way goes back to. */
  let trial: string | undefined

  const write = (name: CollectionName, id: string, record: AnyRecord | undefined) =>
    (collections[name] as Collection<AnyRecord & Entity>).write(id, record)

  const transaction: Transaction = {
    put(collection, record) {
      const before = write(collection, record.id, record) ?? null
      openChanges?.push({ collection, id: record.id, before, after: record })
      return record
    },
    add(collection, given) {
      const record = { ...given, sequence: ++sequence } as RecordOf<typeof collection>
      if (collections[collection].get(record.id)) throw new Error(`${collection} has a record "${record.id}" already`)
      return transaction.put(collection, record)
    },
    remove(collection, id) {
      const before = write(collection, id, undefined)
      if (before) openChanges?.push({ collection, id, before, after: null })
    },
    removeWithOwned(collection, id) {
      for (const [name, { ownedBy }] of Object.entries<Kind<never>>(kinds)) {
        const index = ownedBy[collection]
        if (index === undefined) continue
        const parts = (collections[name as CollectionName] as unknown as Collection<Entity>).in(index, id)
        for (const part of [...parts]) transaction.removeWithOwned(name as CollectionName, part.id)
      }
      transaction.remove(collection, id)
    },
    next: () => ++sequence,
    reserve(value) {
      reserved = { value }
    },
  }

  const counters = (): Counters => ({ sequence, draws: random.draws })
  const setCounters = (to: Counters) => {
    sequence = to.sequence
    random.draws = to.draws
  }

  const transact = <T>(work: (tx: Transaction) => T): { result: T; changes: Change[] } => {
    const changes: Change[] = []
    const before = counters()
    openChanges = changes
    try {
      const result = work(transaction)
      if (changes.length > 0 && trial === undefined) durability?.append(changes, counters())
      return { result, changes }
    } catch (error) {
      for (const { collection, id, before } of changes.toReversed()) write(collection, id, before ?? undefined)
      setCounters(before)
      throw error
    } finally {
      openChanges = undefined
      reserved = {}
    }
  }

  const applyStep = (tx: Transaction, { collection, id, record }: RecordStep) =>
    record ? tx.put(collection, record as RecordOf<typeof collection>) : tx.remove(collection, id)

  const recordInHistory = (changes: Change[]) => {
    for (const { collection, id, before, after } of changes) history.note(collection, id, before, after)
  }

  const notify = (changes: Change[]) => {
    if (changes.length > 0) for (const listener of listeners) listener(changes)
  }

  return {
    ...collections,

    counts: (): Record<string, number> =>
      Object.fromEntries(
        Object.entries<Kind<never>>(kinds)
          .filter(([, { counted }]) => counted)
          .map(([name]) => [name, collections[name as CollectionName].all.size]),
      ),

    /** True for the id of a record, what a unique index finds one by, and what the change under way has reserved. */
    isTaken(text: string): boolean {
      reserved.texts ??= scalarsIn(reserved.value)
      return reserved.texts.has(text) || Object.values(collections).some((collection) => collection.isTaken(text))
    },

    /** Returns the time at which a record of that collection ends by itself, if it does. */
    endOf: <C extends CollectionName>(collection: C, record: RecordOf<C>): string | null =>
      (kinds[collection] as unknown as Kind<RecordOf<C> & Entity>).endsAt?.(record) ?? null,

    /**
     * Makes a change: synchronous, all or nothing, also when `work` throws or it cannot be made durable. A change
     * within a change is part of the outer one.
     */
    change<T>(work: (tx: Transaction) => T): T {
      if (openChanges) return work(transaction)
      const { result, changes } = transact(work)
      recordInHistory(changes)
      notify(changes)
      return result
    },

    /** Fills an empty store, unrecorded: what a file or a fixture document held. */
    load(records: Iterable<[CollectionName, AnyRecord[]]>, at: Counters): void {
      for (const [name, list] of records) (collections[name] as Collection<AnyRecord & Entity>).load(list)
      setCounters(at)
    },

    counters,

    /** Sets the counters to those of a document that is the whole world. */
    setCounters,

    onChange: (listener: (changes: Change[]) => void): void => void listeners.push(listener),

    /**
     * Names the present state. A name that is taken is moved here.
     * @param without records that the named state leaves out: they are made right after it, in the same write.
     */
    nameState(name: string, created_at: string, without: [CollectionName, id: string][] = []): void {
      history.nameState(name, created_at, counters())
      for (const [collection, id] of without) history.exclude(collection, id)
    },

    /** Names the present state, and makes no change durable until it is restored, which a kill does, too. */
    beginTrial(name: string, created_at: string): void {
      durability?.append([], counters(), 'began')
      history.nameState(name, created_at, counters())
      trial = name
    },

    /** Goes to a named state, if there is one, back or forward; costs what differs between here and there. */
    restore(name: string): void {
      const at = history.at(name)
      if (!at) return
      random.restores++
      const { changes } = transact((tx) => {
        for (const step of history.stepsTo(name)) applyStep(tx, step)
        setCounters(at.counters)
      })
      recordInHistory(changes)
      history.moveToEnd(name)
      if (trial === name) {
        trial = undefined
        durability?.append([], counters(), 'ended')
      }
      notify(changes)
    },

    /**
     * Undoes what was changed between two named states, as a change of its own. Records that have been made or changed
     * since the later one stay as they are, unless they were made in between or are owned by what is gone.
     */
    undo(from: string, until: string): void {
      const since = history.stepsTo(until)
      const steps = history.stepsTo(from)
      const atUntil = new Map(since.map(({ collection, id, record }) => [`${collection} ${id}`, record]))
      this.change((tx) => {
        for (const step of steps) {
          const later = atUntil.get(`${step.collection} ${step.id}`)
          if (later === undefined || (!step.record && later)) applyStep(tx, step)
        }
        for (const { collection, id } of steps) {
          if (!collections[collection].get(id)) tx.removeWithOwned(collection, id)
        }
      })
    },

    /** Gives a named state, if there is one, a further name; one that is taken moves there. */
    aliasState: (name: string, further: string): void => history.alias(name, further),

    forgetState: (name: string): void => history.forget(name),

    /** Every named state, in the order in which they were named, with the number of records that differ from it now. */
    namedStates: () => history.list(),

    /** One of them; costs what differs on the way there. */
    namedState(name: string): { name: string; created_at: string; changes: number } | undefined {
      const at = history.at(name)
      return at && { name, created_at: at.created_at, changes: history.stepsTo(name).length }
    },

    /** Every record, oldest first in each collection: live lists, not to be kept across a change. */
    records: () =>
      Object.entries(collections).map(([name, { all }]) => [name, all] as [CollectionName, Iterable<AnyRecord>]),
  }
}
