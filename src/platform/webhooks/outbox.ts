import type { DeliveryListener, Outbox } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { type Delivered, deliver } from './deliver.js'
import type { DeliveryRecord } from './delivery-record.js'
import { isOpen } from './delivery-record.js'
import { Lanes } from './lanes.js'

/** Attempts under way at once; the rest wait their turn. */
const AT_ONCE = 64
/** When a result could not be recorded, on the emulator's clock: the attempt is made again then. */
const UNRECORDED_WAIT = 10_000

/** One lane an organization. @param listener told of every attempt that is recorded. */
export function createOutbox(getWorld: () => World, listener: DeliveryListener): Outbox {
  const listeners = new Set<() => void>()
  const lanes = new Lanes<Delivered | undefined>(AT_ONCE, () => {
    for (const told of listeners) told()
  })

  const queue = async ({ id, organization, sequence }: DeliveryRecord, redelivery: boolean) => {
    if (getWorld().closing.aborted) return undefined
    return lanes.enqueue(organization, {
      id,
      sequence,
      run: (signal, onSent) => deliver(getWorld(), { delivery: id, redelivery, listener, signal, onSent }),
    })
  }

  /** An attempt, and then what it leads to: the next one in its time, and those that were waiting for it. */
  const run = async (delivery: DeliveryRecord, redelivery: boolean): Promise<DeliveryRecord> => {
    const world = getWorld()
    const delivered = await queue(delivery, redelivery).catch((error: unknown) => {
      world.clock.schedule(
        entryOf(delivery),
        world.clock.now() + UNRECORDED_WAIT,
        async () => void (await inBackground(delivery)),
      )
      throw error
    })
    if (!delivered) return delivery
    const { delivery: after, released } = delivered
    if (!isOpen(after)) world.clock.cancel(entryOf(after))
    else if (after.due_at !== null) scheduleNext(after)
    await Promise.all(released.map(inBackground))
    return world.store.deliveries.get(after.id) ?? after
  }

  const scheduleNext = ({ id, due_at }: DeliveryRecord) => {
    const { clock, store } = getWorld()
    clock.schedule(entryOf({ id }), Date.parse(due_at ?? ''), async () => {
      const delivery = store.deliveries.get(id)
      if (delivery) await inBackground(delivery)
    })
  }

  /** For attempts whose caller is nobody: one that could not be recorded has been put on the clock again. */
  const inBackground = (delivery: DeliveryRecord): Promise<unknown> => run(delivery, false).catch(() => undefined)

  return {
    deliver: (delivery) => run(delivery, false),
    redeliver: (delivery) => run(delivery, true),
    send(deliveries) {
      for (const delivery of deliveries) void inBackground(delivery)
    },
    abortAll: () => lanes.abortAll(),
    resume() {
      const { store, clock } = getWorld()
      const open = [...store.deliveries.in('open', 'all')]
      listener.onResume(open)
      for (const delivery of open) {
        if (lanes.has(delivery.id) || delivery.due_at === null) continue
        if (Date.parse(delivery.due_at) > clock.now()) scheduleNext(delivery)
        else void inBackground(delivery)
      }
    },
    waiting() {
      const { store, clock } = getWorld()
      const now = clock.timestamp()
      const overdue = [...store.deliveries.in('open', 'all')].filter(({ due_at }) => due_at !== null && due_at <= now)
      return [...new Set([...lanes.ids(), ...overdue.map(({ id }) => id)])]
    },
    onEnd(told) {
      listeners.add(told)
      return () => listeners.delete(told)
    },
  }
}

const entryOf = ({ id }: Pick<DeliveryRecord, 'id'>) => `delivery/${id}`
