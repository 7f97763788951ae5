import type { World } from '../../emulator/world/world.js'
import type { ObservedExchange } from './judge.js'

/** Real milliseconds in which a request that another worker made earlier may still arrive. */
const IN_FLIGHT = 1_000

/** Connections that are remembered of a response that is given again and again. */
const KEPT_CONNECTIONS = 20

/** A response that later requests are measured against. */
export interface GivenResponse {
  /** When it was first given, in real milliseconds since an arbitrary moment. */
  at: number
  /** The connections that it was sent over. */
  connections: string[]
}

/** Returns the response of an exchange. @param before the same response to earlier requests. */
export const givenResponse = ({ entry, endedAt }: ObservedExchange, before?: GivenResponse): GivenResponse => ({
  at: before?.at ?? endedAt,
  connections: [...(before?.connections ?? []), connectionOf(entry)].slice(-KEPT_CONNECTIONS),
})

/**
 * Returns true when the sender must have received an earlier response before it sent this request: over the same
 * connection, on which clients wait for each response, or so much later that no request made before can be in flight.
 */
export const couldHaveSeen = ({ entry, startedAt }: ObservedExchange, { at, connections }: GivenResponse): boolean =>
  startedAt >= at && (startedAt - at > IN_FLIGHT || connections.includes(connectionOf(entry)))

const connectionOf = ({ client, client_port }: ObservedExchange['entry']) => `${client} ${client_port}`

/**
 * Returns true when the app may not have received the response that the emulator made, because it was lost or changed
 * by an injected fault. A fault that only holds requests changes no response.
 */
export function mayBeLost({ store }: Pick<World, 'store'>, { status, notes }: ObservedExchange['entry']): boolean {
  if (status === null) return true
  if (notes.fault === undefined) return false
  const effect = store.faults.get(notes.fault)?.effect
  return typeof effect !== 'object' || effect === null || Object.keys(effect).some((name) => name !== 'hold')
}
