import type { World } from '../../emulator/world/world.js'
import { MAX_TIMEOUT } from '../../foundation/schema/duration.js'
import { pauseOrAbort } from '../../foundation/time/real-timers.js'

interface Limits {
  /** Real milliseconds: what is waited for is real too. */
  timeout: number
  signal: AbortSignal
}

/**
 * Waits until `look` finds something, looking again whenever `subscribe` calls back.
 * @returns what it found; undefined when the time is over, or the signal aborts.
 */
export async function waitUntil<T>(
  look: () => T | undefined,
  subscribe: (listener: () => void) => () => void,
  { timeout, signal }: Limits,
): Promise<T | undefined> {
  const found = look()
  if (found !== undefined || timeout <= 0) return found
  const over = new AbortController()
  const unsubscribe = subscribe(() => {
    if (look() !== undefined) over.abort()
  })
  const either = AbortSignal.any([over.signal, signal])
  await pauseOrAbort(Math.min(timeout, MAX_TIMEOUT), either)
  unsubscribe()
  return look()
}

/**
 * Waits until no delivery is in flight or overdue; those that are due later do not count. control-api: "Webhooks"
 * @param organization the only one whose deliveries are waited for; all when left out.
 * @returns ids of the deliveries that are still waited for when the time is over; none when it is settled.
 */
export async function settle(world: Pick<World, 'outbox'>, limits: Limits, organization?: string): Promise<string[]> {
  const look = () => (world.outbox.waiting(organization).length === 0 ? true : undefined)
  await waitUntil(look, (listener) => world.outbox.onEnd(listener), limits)
  return world.outbox.waiting(organization)
}
