import { isDeepStrictEqual } from 'node:util'
import type { AnyRecord, CollectionName } from './kind.js'

/** A record that is another, or there or not, in two states. */
interface Difference {
  collection: CollectionName
  id: string
  /** The record on the one side and on the other; null where there is none. */
  sides: [AnyRecord | null, AnyRecord | null]
}

/** A state of the world that has a name, or where the ways to named ones part, or the present one. */
export interface State {
  names: number
  edges: Set<Edge>
}

/** The net difference of two neighbouring states: a record made and removed between them is not in it. */
export interface Edge {
  ends: [State, State]
  differences: Map<string, Difference>
}

/** The end of the edge at which the state is. */
export const sideOf = (edge: Edge, state: State): 0 | 1 => (edge.ends[0] === state ? 0 : 1)
/** The state at the other end. */
export const endOf = (edge: Edge, from: State): State => edge.ends[1 - sideOf(edge, from)] as State

/** Makes two states neighbours that do not differ. */
export function connect(a: State, b: State): void {
  const edge: Edge = { ends: [a, b], differences: new Map() }
  a.edges.add(edge)
  b.edges.add(edge)
}

/** Takes the edge out of the tree. */
export function removeEdge(edge: Edge): void {
  for (const end of edge.ends) end.edges.delete(edge)
}

/** Makes one edge of the two of a state, which falls out; the smaller one is worked into the larger. */
export function contract(state: State, one: Edge, other: Edge): void {
  const [larger, smaller] = one.differences.size >= other.differences.size ? [one, other] : [other, one]
  const end = endOf(smaller, state)
  const side = sideOf(larger, state)
  const far = 1 - sideOf(smaller, state)
  for (const { collection, id, sides } of smaller.differences.values()) {
    recordDifference(larger, side, {
      collection,
      id,
      near: sides[far] as AnyRecord | null,
      far: sides[1 - far] as AnyRecord | null,
    })
  }
  removeEdge(smaller)
  state.edges.delete(larger)
  larger.ends[side] = end
  end.edges.add(larger)
}

/** Sets what a record is on one side of an edge; `far` is what it is on the other, where the edge does not say. */
export function recordDifference(
  edge: Edge,
  side: 0 | 1,
  { collection, id, near, far }: Omit<Difference, 'sides'> & Record<'near' | 'far', AnyRecord | null>,
): void {
  const key = `${collection}/${id}`
  const known = edge.differences.get(key)
  if (known) {
    known.sides[side] = near
    if (isSameRecord(known.sides[0], known.sides[1])) edge.differences.delete(key)
  } else if (!isSameRecord(near, far)) {
    edge.differences.set(key, { collection, id, sides: side === 0 ? [near, far] : [far, near] })
  }
}

/** True for a record that is the same in two states; null where there is none. */
export const isSameRecord = (a: AnyRecord | null, b: AnyRecord | null): boolean =>
  a === b || (a !== null && b !== null && isDeepStrictEqual(a, b))
