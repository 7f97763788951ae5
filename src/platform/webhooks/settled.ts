import type { World } from '../../emulator/world/world.js'
import { waitUntil } from './wait-until.js'

/**
 * Waits until no delivery is in flight or overdue; those that are due later do not count. control-api: "Webhooks"
 * @param timeout real milliseconds.
 * @returns ids of the deliveries that are still waited for when the time is over; none when it is settled.
 */
export async function settled(world: Pick<World, 'outbox'>, timeout: number, signal: AbortSignal): Promise<string[]> {
  await waitUntil(
    () => (world.outbox.waiting().length === 0 ? true : undefined),
    (listener) => world.outbox.onEnd(listener),
    { timeout, signal },
  )
  return world.outbox.waiting()
}
