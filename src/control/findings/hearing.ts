import type { World } from '../../emulator/world/world.js'
import type { Seen } from './judge.js'

/** Real milliseconds in which a request of another worker may still be on its way, or made from what it read before. */
const ON_ITS_WAY = 1_000

/** Connections that are remembered of a response that is given again and again. */
const KEPT_CONNECTIONS = 20

/** A response that later requests are measured against. */
export interface Answered {
  /** When it was first given. Real milliseconds, from any beginning. */
  at: number
  /** Those that it went out on. */
  connections: string[]
}

/** @param before the same response to earlier requests. */
export const answeredIn = ({ entry, endedAt }: Seen, before?: Answered): Answered => ({
  at: before?.at ?? endedAt,
  connections: [...(before?.connections ?? []), connectionOf(entry)].slice(-KEPT_CONNECTIONS),
})

/**
 * Whether who sent a request must have known of an earlier response: it came over the same connection, on which clients
 * wait for one response before the next request, or so late that no request made earlier is still on its way.
 */
export const hasHeard = ({ entry, startedAt }: Seen, { at, connections }: Answered): boolean =>
  startedAt >= at && (startedAt - at > ON_ITS_WAY || connections.includes(connectionOf(entry)))

const connectionOf = ({ client, client_port }: Seen['entry']) => `${client} ${client_port}`

/**
 * Whether the app may have seen another response than the one that the emulator made: none at all, or what an injected
 * fault left of it. A fault that only lets requests go at once leaves them as they are.
 */
export function mayBeLost({ store }: World, { status, notes }: Seen['entry']): boolean {
  if (status === null) return true
  if (notes.fault === undefined) return false
  const effect = store.faults.get(notes.fault)?.effect
  return typeof effect !== 'object' || effect === null || Object.keys(effect).some((name) => name !== 'hold')
}
