import { isDeepStrictEqual } from 'node:util'
import type { AnyRecord, CollectionName } from './kind.js'

/** Counters that go back with the records: the last sequence number given, and the seeded generator's draws. */
export interface Counters {
  sequence: number
  draws: number
}

/** A record to put, or to remove (null). */
export interface RecordStep {
  collection: CollectionName
  id: string
  record: AnyRecord | null
}

/** A named state. `past` has the records that have changed since, up to the next state of the line, as they were in it. */
interface NamedState {
  created_at: string
  counters: Counters
  past: Map<string, RecordStep>
}

/**
 * Named states of the records. They form a line that ends at the present: a change is noted only in the last one, so a
 * state costs the memory of what changed until the next was named. Going to a state is a change like any other; that
 * state then becomes the last of the line.
 */
export class History {
  /** States in the order in which they were named. */
  readonly #named = new Map<string, NamedState>()
  readonly #line: NamedState[] = []

  /** @param now the record as it is in the present state. */
  constructor(readonly now: (collection: CollectionName, id: string) => AnyRecord | null) {}

  note(collection: CollectionName, id: string, before: AnyRecord | null, after: AnyRecord | null): void {
    const past = this.#line.at(-1)?.past
    if (!past) return
    const key = `${collection}/${id}`
    const step = past.get(key) ?? { collection, id, record: before }
    if (isSameRecord(step.record, after)) past.delete(key)
    else past.set(key, step)
  }

  /** Names the present state; a name that is taken moves here. */
  nameState(name: string, created_at: string, counters: Counters): void {
    this.forget(name)
    const state = { created_at, counters, past: new Map() }
    this.#named.set(name, state)
    this.#line.push(state)
  }

  /** Makes a named state one without that record, which the present state has. Call it right after `nameState`. */
  exclude(collection: CollectionName, id: string): void {
    this.note(collection, id, null, this.now(collection, id))
  }

  /** Gives a named state, if there is one, a further name; one that is taken moves there. */
  alias(name: string, further: string): void {
    const state = this.#named.get(name)
    if (!state) return
    this.forget(further)
    const same = { ...state, past: new Map() }
    this.#named.set(further, same)
    this.#line.splice(this.#line.indexOf(state), 0, same)
  }

  forget(name: string): void {
    const state = this.#named.get(name)
    if (!state) return
    this.#named.delete(name)
    this.#takeOut(state)
  }

  /** Returns the steps from here to a named state; none when there is no such state. */
  stepsTo(name: string): RecordStep[] {
    const state = this.#named.get(name)
    if (!state) return []
    const steps = new Map<string, RecordStep>()
    for (const { past } of this.#line.slice(this.#line.indexOf(state)).reverse()) {
      for (const [key, step] of past) steps.set(key, step)
    }
    return [...steps.values()].filter((step) => this.#differs(step))
  }

  /** Call it when the steps to a named state have been done and noted. */
  moveToEnd(name: string): void {
    const state = this.#named.get(name)
    if (!state) return
    if (state !== this.#line.at(-1)) {
      this.#takeOut(state)
      this.#line.push(state)
    }
    state.past = new Map()
  }

  /** Every name, in the order in which they were given, with the number of records that differ from the present. */
  list(): { name: string; created_at: string; changes: number }[] {
    const differing = new Set<string>()
    const counts = new Map<NamedState, number>()
    for (const state of this.#line.toReversed()) {
      for (const [key, step] of state.past) {
        if (this.#differs(step)) differing.add(key)
        else differing.delete(key)
      }
      counts.set(state, differing.size)
    }
    return [...this.#named].map(([name, state]) => ({
      name,
      created_at: state.created_at,
      changes: counts.get(state) ?? 0,
    }))
  }

  at(name: string): Pick<NamedState, 'created_at' | 'counters'> | undefined {
    return this.#named.get(name)
  }

  /** Takes a state out of the line: the one before it then has what differs from the one after. */
  #takeOut(state: NamedState): void {
    const index = this.#line.indexOf(state)
    this.#line.splice(index, 1)
    const before = this.#line[index - 1]?.past
    if (!before) return
    for (const [key, step] of state.past) {
      const earlier = before.get(key)
      if (!earlier) before.set(key, step)
      // A record that was made and removed again, for example, would be kept for good.
      else if (isSameRecord(earlier.record, this.#recordAt(index, key, step))) before.delete(key)
    }
  }

  /** Returns the record as it is in the state at that place of the line, whose end is the present. */
  #recordAt(index: number, key: string, { collection, id }: RecordStep): AnyRecord | null {
    for (const { past } of this.#line.slice(index)) {
      const step = past.get(key)
      if (step) return step.record
    }
    return this.now(collection, id)
  }

  #differs = ({ collection, id, record }: RecordStep): boolean => !isSameRecord(record, this.now(collection, id))
}

/** Returns true for a record that is the same in two states; null where there is none. */
const isSameRecord = (a: AnyRecord | null, b: AnyRecord | null): boolean =>
  a === b || (a !== null && b !== null && isDeepStrictEqual(a, b))
