import type { World } from '../../emulator/world/world.js'
import type { DeliveryRecord } from './delivery-record.js'

type Progress = Pick<DeliveryRecord, 'state' | 'due_at' | 'ended_at' | 'tries'>

/**
 * Returns the changes to a delivery whose scheduled attempt has failed: the next one is due one wait of
 * `retry_schedule` later, on the emulator's clock, until there are no more waits. wire: §7 "retries"
 */
export function afterFailure(world: Pick<World, 'clock' | 'settings'>, delivery: DeliveryRecord): Progress {
  const { organization, tries } = delivery
  const wait = world.settings.retry_schedule[tries]
  if (wait === undefined) return ended(world, delivery, 'failed', tries + 1)
  return { state: 'retrying', due_at: world.clock.timestamp(organization, wait), ended_at: null, tries: tries + 1 }
}

/** Returns the changes to a delivery that has no further attempt. */
export const ended = (
  world: Pick<World, 'clock'>,
  { organization }: Pick<DeliveryRecord, 'organization'>,
  state: 'acknowledged' | 'failed' | 'dropped',
  tries: number,
): Progress => ({ state, due_at: null, ended_at: world.clock.timestamp(organization), tries })
