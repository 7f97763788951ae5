import type { World } from '../../emulator/world/world.js'
import type { DeliveryRecord } from './delivery-record.js'

type Progress = Pick<DeliveryRecord, 'state' | 'due_at' | 'ended_at' | 'tries' | 'held'>

/**
 * Returns the changes to a delivery whose scheduled attempt has failed: the next one is due one wait of
 * `retry_schedule` later, on the emulator's clock, until there are no more waits. wire: §7 "retries"
 */
export function afterFailure(world: Pick<World, 'clock' | 'settings'>, delivery: DeliveryRecord): Progress {
  const wait = world.settings.retry_schedule[delivery.tries]
  const tries = delivery.tries + 1
  if (wait === undefined) return ended(world, delivery, 'failed', tries)
  const due_at = world.clock.timestamp(delivery.organization, wait)
  return { state: 'retrying', due_at, ended_at: null, tries, held: null }
}

/** Returns the changes to a delivery that has no further attempt. */
export const ended = (
  world: Pick<World, 'clock'>,
  { organization }: Pick<DeliveryRecord, 'organization'>,
  state: 'acknowledged' | 'failed' | 'dropped',
  tries: number,
): Progress => ({ state, due_at: null, ended_at: world.clock.timestamp(organization), tries, held: null })
