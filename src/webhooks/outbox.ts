import { setMaxListeners } from 'node:events'
import type { DeliveryListener, Outbox } from '../world/parts.js'
import type { World } from '../world/world.js'
import { type AttemptOutcome, attemptDelivery } from './deliver.js'
import { isOpen } from './delivery-kind.js'
import type { DeliveryRecord } from './delivery-record.js'

/** Attempts under way at once; the rest wait their turn. */
const AT_ONCE = 64
/** When an outcome could not be recorded, on the emulator's clock: the attempt is made again then. */
const UNRECORDED_WAIT = 10_000

interface Job {
  delivery: string
  /** The delivery's: what waits in a lane stands in the order in which it came about. */
  sequence: number
  redelivery: boolean
  done: (outcome: AttemptOutcome | undefined) => void
  failed: (error: unknown) => void
}

/** The jobs of one organization: the next starts when the one before it has left, so that they arrive in order. */
interface Lane {
  jobs: Job[]
  sending: boolean
}

/** @param listener told of every attempt that is recorded. */
export function createOutbox(getWorld: () => World, listener: DeliveryListener): Outbox {
  let abortion = newAbortion()
  let lanes = new Map<string, Lane>()
  let ready: Lane[] = []
  let underWay = new Map<string, number>()
  let jobs = new Set<Job>()
  let running = 0
  const listeners = new Set<() => void>()

  const start = (lane: Lane, job: Job) => {
    const { signal } = abortion
    let left = false
    const leave = () => {
      if (left || signal.aborted) return
      left = true
      lane.sending = false
      if (lane.jobs.length > 0) ready.push(lane)
      pump()
    }
    lane.sending = true
    running++
    const { delivery, redelivery } = job
    attemptDelivery(getWorld(), { delivery, redelivery, listener, signal, onSent: leave })
      .then(job.done, job.failed)
      .finally(() => {
        if (signal.aborted) return
        running--
        jobs.delete(job)
        count(delivery, -1)
        leave()
        pump()
        for (const told of listeners) told()
      })
  }

  const pump = () => {
    while (running < AT_ONCE) {
      const lane = ready.shift()
      const job = lane?.jobs.shift()
      if (!lane || !job) return
      start(lane, job)
    }
  }

  const count = (delivery: string, by: number) => {
    const now = (underWay.get(delivery) ?? 0) + by
    if (now > 0) underWay.set(delivery, now)
    else underWay.delete(delivery)
  }

  /** Queues an attempt; ends with its outcome, undefined when it was aborted. */
  const enqueue = ({ id: delivery, organization, sequence }: DeliveryRecord, redelivery: boolean) =>
    new Promise<AttemptOutcome | undefined>((done, failed) => {
      if (getWorld().closing.aborted) return done(undefined)
      const lane = lanes.get(organization) ?? { jobs: [], sending: false }
      lanes.set(organization, lane)
      const job = { delivery, sequence, redelivery, done, failed }
      jobs.add(job)
      const place = lane.jobs.findIndex((other) => other.sequence > sequence)
      lane.jobs.splice(place < 0 ? lane.jobs.length : place, 0, job)
      count(delivery, 1)
      if (!lane.sending && lane.jobs.length === 1) ready.push(lane)
      // What falls due at one instant is queued before the first of it starts.
      queueMicrotask(pump)
    })

  /** An attempt, and then what it leads to: the next one in its time, and those that were waiting for it. */
  const run = async (delivery: DeliveryRecord, redelivery: boolean): Promise<DeliveryRecord> => {
    const world = getWorld()
    const outcome = await enqueue(delivery, redelivery).catch((error: unknown) => {
      world.clock.schedule(
        entryOf(delivery),
        world.clock.now() + UNRECORDED_WAIT,
        async () => void (await inBackground(delivery)),
      )
      throw error
    })
    if (!outcome) return delivery
    const { delivery: after, released } = outcome
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
    abortAll() {
      const aborted = { abortion, jobs }
      abortion = newAbortion()
      lanes = new Map()
      ready = []
      underWay = new Map()
      jobs = new Set()
      running = 0
      aborted.abortion.abort()
      for (const { done } of aborted.jobs) done(undefined)
      for (const told of listeners) told()
    },
    resume() {
      const { store, clock } = getWorld()
      const open = [...store.deliveries.in('open', 'all')]
      listener.onResume(open)
      for (const delivery of open) {
        if (underWay.has(delivery.id) || delivery.due_at === null) continue
        if (Date.parse(delivery.due_at) > clock.now()) scheduleNext(delivery)
        else void inBackground(delivery)
      }
    },
    send(deliveries) {
      for (const delivery of deliveries) void inBackground(delivery)
    },
    waiting() {
      const { store, clock } = getWorld()
      const now = clock.timestamp()
      const overdue = [...store.deliveries.in('open', 'all')].filter(({ due_at }) => due_at !== null && due_at <= now)
      return [...new Set([...underWay.keys(), ...overdue.map(({ id }) => id)])]
    },
    onEnd(told) {
      listeners.add(told)
      return () => listeners.delete(told)
    },
  }
}

const entryOf = ({ id }: Pick<DeliveryRecord, 'id'>) => `delivery/${id}`

/** Every attempt under way listens to it. */
function newAbortion(): AbortController {
  const abortion = new AbortController()
  setMaxListeners(AT_ONCE, abortion.signal)
  return abortion
}
