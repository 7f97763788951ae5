import type { DeliveryListener, Outbox } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { type Delivered, deliver } from './deliver.js'
import { type DeliveryRecord, isOpen } from './delivery-record.js'
import { type Job, KeyedQueue } from './keyed-queue.js'

/** Attempts under way at once; the rest wait their turn. */
const AT_ONCE = 64
/** Milliseconds of the emulator's clock until an attempt whose result could not be recorded is made again. */
const UNRECORDED_WAIT = 10_000

/** Creates the outbox: one key for each organization. @param listener called with every attempt that is recorded. */
export function createOutbox(getWorld: () => World, listener: DeliveryListener): Outbox {
  const callbacks = new Set<() => void>()
  const queue = new KeyedQueue<Delivered | undefined>(AT_ONCE, () => {
    for (const callback of callbacks) callback()
  })

  /** Makes an attempt, schedules the next one, and makes those that were postponed until after it. */
  const run = async (delivery: DeliveryRecord, redelivery: boolean): Promise<DeliveryRecord> => {
    const world = getWorld()
    if (world.closing.aborted) return delivery
    const { id, organization, sequence } = delivery
    const attempt: Job<Delivered | undefined>['run'] = (signal, onSent) =>
      deliver(getWorld(), { delivery: id, redelivery, listener, signal, onSent })
    const delivered = await queue.enqueue(organization, { id, sequence, run: attempt }).catch((error: unknown) => {
      schedule(delivery, world.clock.now(organization) + UNRECORDED_WAIT)
      throw error
    })
    if (!delivered) return delivery
    const { delivery: after, nowDue } = delivered
    // One that has ended keeps an earlier entry in the agenda, which then does nothing.
    if (after.due_at !== null) schedule(after, Date.parse(after.due_at))
    await Promise.all(nowDue.map(inBackground))
    return world.store.deliveries.get(after.id) ?? after
  }

  const schedule = ({ id, organization }: DeliveryRecord, due: number) => {
    const { clock, store } = getWorld()
    clock.schedule(organization, `delivery/${id}`, due, async () => {
      const delivery = store.deliveries.get(id)
      if (delivery) await inBackground(delivery)
    })
  }

  /** Nobody waits for these attempts. One that could not be recorded is already due again. */
  const inBackground = (delivery: DeliveryRecord): Promise<unknown> => run(delivery, false).catch(() => undefined)

  return {
    deliver: (delivery) => run(delivery, false),
    redeliver: (delivery) => run(delivery, true),
    send(deliveries) {
      for (const delivery of deliveries) void inBackground(delivery)
    },
    abort: (organization) => queue.abort(organization),
    resume() {
      const { store, clock } = getWorld()
      const open = [...store.deliveries.in('open', 'all')]
      listener.onResume(open)
      const queued = queue.ids()
      for (const delivery of open) {
        if (queued.has(delivery.id) || delivery.due_at === null) continue
        const due = Date.parse(delivery.due_at)
        if (due > clock.now(delivery.organization)) schedule(delivery, due)
        else void inBackground(delivery)
      }
    },
    waiting(organization) {
      const { store, clock } = getWorld()
      const { deliveries } = store
      const among =
        organization === undefined ? deliveries.in('open', 'all') : deliveries.in('organization', organization)
      const overdue = [...among].filter(
        (each) => isOpen(each) && each.due_at !== null && each.due_at <= clock.timestamp(each.organization),
      )
      return [...new Set([...queue.ids(organization), ...overdue.map(({ id }) => id)])]
    },
    onEnd(callback) {
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
  }
}
