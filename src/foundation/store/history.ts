import type { AnyRecord, CollectionName } from './kind.js'
import {
  connect,
  contract,
  type Edge,
  endOf,
  isSameRecord,
  recordDifference,
  removeEdge,
  type State,
  sideOf,
} from './state-tree.js'

/** Counters that go back with the records: the last sequence number given, and the seeded generator's draws. */
export interface Counters {
  sequence: number
  draws: number
}

interface Mark {
  state: State
  created_at: string
  counters: Counters
}

/** A record to put, or to remove (null). */
export interface RecordStep {
  collection: CollectionName
  id: string
  record: AnyRecord | null
}

/**
 * Named states of the records, to go to in any order. They form a tree: its edges hold what differs between neighbours,
 * and the present state is a leaf. So a change is noted once however many names there are, a name costs the memory of
 * what changed since the one before, and going somewhere costs what differs on the way. design: "The store"
 */
export class History {
  readonly #marks = new Map<string, Mark>()
  #present: State = { names: 0, edges: new Set() }

  /** @param now the record as it is in the present state. */
  constructor(readonly now: (collection: CollectionName, id: string) => AnyRecord | null) {}

  /** Notes that a record has changed. */
  note(collection: CollectionName, id: string, before: AnyRecord | null, after: AnyRecord | null): void {
    const edge = this.#edgeOfPresent()
    if (!edge) return
    const side = sideOf(edge, this.#present)
    recordDifference(edge, side, { collection, id, near: after, far: before })
  }

  /** Names the present state; a name that is taken moves here. */
  mark(name: string, created_at: string, counters: Counters): void {
    this.forget(name)
    const edge = this.#edgeOfPresent()
    // Nothing has changed since the state before: it has one name more.
    let state = edge?.differences.size === 0 ? endOf(edge, this.#present) : undefined
    if (!state) {
      state = this.#present
      this.#present = { names: 0, edges: new Set() }
      connect(state, this.#present)
    }
    state.names++
    this.#marks.set(name, { state, created_at, counters })
  }

  /** Makes a named state one without that record, which the present state has. Call it right after `mark`. */
  leaveOut(collection: CollectionName, id: string): void {
    this.note(collection, id, null, this.now(collection, id))
  }

  /** Takes a name away, if there is one. */
  forget(name: string): void {
    const mark = this.#marks.get(name)
    if (!mark) return
    this.#marks.delete(name)
    mark.state.names--
    this.#simplify(mark.state)
  }

  /** Returns the steps from here to a named state; none when there is no such state. */
  stepsTo(name: string): RecordStep[] {
    const mark = this.#marks.get(name)
    if (!mark) return []
    const steps = new Map<string, RecordStep>()
    let from = this.#present
    for (const edge of this.#wayTo(mark.state)) {
      const far = 1 - sideOf(edge, from)
      for (const [key, { collection, id, sides }] of edge.differences) {
        steps.set(key, { collection, id, record: sides[far] as AnyRecord | null })
      }
      from = endOf(edge, from)
    }
    return [...steps.values()].filter(({ collection, id, record }) => !isSameRecord(record, this.now(collection, id)))
  }

  /** Call it when the steps to a named state have been done: that is where the present state now begins. */
  arrived(name: string): void {
    const target = this.#marks.get(name)?.state
    if (!target) return
    const left = this.#edgeOfPresent()
    const origin = left && endOf(left, this.#present)
    if (left) removeEdge(left)
    this.#present = { names: 0, edges: new Set() }
    connect(target, this.#present)
    if (origin) this.#simplify(origin)
  }

  /** Every name, in the order in which they were given, with the number of records that differ from the present. */
  list(): { name: string; created_at: string; changes: number }[] {
    const counts = this.#countAll()
    return [...this.#marks].map(([name, { created_at, state }]) => ({
      name,
      created_at,
      changes: counts.get(state) ?? 0,
    }))
  }

  /** Returns the time and counters of a named state; undefined when there is none. */
  at(name: string): Pick<Mark, 'created_at' | 'counters'> | undefined {
    return this.#marks.get(name)
  }

  #edgeOfPresent(): Edge | undefined {
    const [edge] = this.#present.edges
    return edge
  }

  /** The edges from the present state to another, in order. */
  #wayTo(target: State): Edge[] {
    const cameBy = new Map<State, Edge | undefined>([[this.#present, undefined]])
    const open = [this.#present]
    for (let state = open.pop(); state && state !== target; state = open.pop()) {
      for (const edge of state.edges) {
        const next = endOf(edge, state)
        if (cameBy.has(next)) continue
        cameBy.set(next, edge)
        open.push(next)
      }
    }
    const way: Edge[] = []
    for (let state = target, edge = cameBy.get(state); edge; edge = cameBy.get(state)) {
      way.unshift(edge)
      state = endOf(edge, state)
    }
    return way
  }

  /** The number of differing records for every state: one walk over the tree, doing and undoing what each edge says. */
  #countAll(): Map<State, number> {
    const counts = new Map<State, number>()
    const values = new Map<string, AnyRecord | null>()
    let differing = 0
    const pass = (edge: Edge, side: number) => {
      for (const [key, { collection, id, sides }] of edge.differences) {
        const now = this.now(collection, id)
        if (values.has(key) && !isSameRecord(values.get(key) ?? null, now)) differing--
        const value = sides[side] as AnyRecord | null
        values.set(key, value)
        if (!isSameRecord(value, now)) differing++
      }
    }
    const open: { state: State; by?: Edge; leaving?: boolean }[] = [{ state: this.#present }]
    for (let visit = open.pop(); visit; visit = open.pop()) {
      const { state, by, leaving } = visit
      if (leaving) {
        if (by) pass(by, 1 - sideOf(by, state))
        continue
      }
      if (by) pass(by, sideOf(by, state))
      counts.set(state, differing)
      open.push({ ...visit, leaving: true })
      for (const edge of state.edges) if (edge !== by) open.push({ state: endOf(edge, state), by: edge })
    }
    return counts
  }

  /** Takes a state out of the tree that has no name and that no way needs. */
  #simplify(state: State): void {
    if (state.names > 0 || state === this.#present) return
    const [one, other] = state.edges
    if (one && state.edges.size === 1) {
      const neighbour = endOf(one, state)
      removeEdge(one)
      this.#simplify(neighbour)
    } else if (one && other && state.edges.size === 2) contract(state, one, other)
  }
}
