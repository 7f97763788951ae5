import { currentTrace } from '../../emulator/world/trace.js'
import type { World } from '../../emulator/world/world.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import type { Transaction } from '../../foundation/store/store.js'
import type { DeliveryRecord } from './delivery-record.js'

interface Event {
  type: string
  data: object
  installation: Pick<RecordOf<'installations'>, 'id' | 'app' | 'organization'>
  /** The webhook of the version that is installed. */
  url: string
}

/**
 * Records an event that is to be delivered, in the change that causes it: a kill between the two loses nothing.
 * `world.outbox` sends it. wire: §7 "envelope"
 */
export function putDelivery(
  world: Pick<World, 'clock' | 'forms' | 'random'>,
  tx: Transaction,
  { type, data, installation, url }: Event,
): DeliveryRecord {
  const { id: installation_id, app, organization } = installation
  const created_at = world.clock.timestamp(organization)
  const cause = currentTrace()
  const event = { id: world.random.eventId(), type }
  return tx.add('deliveries', {
    id: world.random.id(),
    created_at,
    event,
    app,
    installation: installation_id,
    organization,
    url,
    ...world.forms.event({ ...event, created_at, installation_id, data }),
    state: 'pending',
    due_at: created_at,
    ended_at: null,
    tries: 0,
    held: null,
    attempts: [],
    ...(cause && { cause }),
  })
}
