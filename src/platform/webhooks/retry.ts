import type { World } from '../../emulator/world/world.js'
import type { DeliveryRecord } from './delivery-record.js'

type Progress = Pick<DeliveryRecord, 'state' | 'due_at' | 'ended_at' | 'tries'>

/**
 * What of a delivery changes when an attempt of its schedule has failed: the next one is due one wait of
 * `retry_schedule` later, on the emulator's clock, until there are no more waits. wire: §7 "retries"
 */
export function afterFailure(world: World, { tries }: DeliveryRecord): Progress {
  const wait = world.settings.retry_schedule[tries]
  if (wait === undefined) return ended(world, 'failed', tries + 1)
  return { state: 'retrying', due_at: world.clock.timestamp(wait), ended_at: null, tries: tries + 1 }
}

/** What of a delivery changes when no attempt is to come. */
export const ended = (world: World, state: 'acknowledged' | 'failed' | 'dropped', tries: number): Progress => ({
  state,
  due_at: null,
  ended_at: world.clock.timestamp(),
  tries,
})
