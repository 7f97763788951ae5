import type { WebhookEffect } from '../faults/effects.js'
import type { FaultRecord } from '../faults/fault-record.js'
import { fireFault } from '../faults/faults.js'
import type { Transaction } from '../store/store.js'
import type { DeliveryListener } from '../world/parts.js'
import { trimEnded } from '../world/retention.js'
import type { World } from '../world/world.js'
import { isOpen } from './delivery-kind.js'
import type { AttemptRecord, DeliveryRecord } from './delivery-record.js'
import { attemptWindow } from './lifecycle-events.js'
import { PostFailure } from './post.js'
import { afterFailure, ended } from './retry.js'
import { headerNames } from './sign.js'
import { underFault } from './webhook-faults.js'

export interface AttemptRequest {
  /** The delivery's id. */
  delivery: string
  /** True for an attempt that was asked for and is none of the schedule. */
  redelivery: boolean
  listener: DeliveryListener
  /** When it aborts, the result is discarded. */
  signal: AbortSignal
  /** Called once the request has left. */
  onSent: () => void
}

export interface AttemptOutcome {
  /** As it stands then. */
  delivery: DeliveryRecord
  /** Deliveries that a fault had put off until after this one: they are due now. */
  released: DeliveryRecord[]
}

/**
 * Makes an attempt, or puts it off when a fault says so, and records what came of it, all in one change.
 * wire: §7 "an attempt"
 * @returns undefined when there is no such delivery to make any more, or it was aborted.
 */
export async function attemptDelivery(world: World, request: AttemptRequest): Promise<AttemptOutcome | undefined> {
  const delivery = world.store.deliveries.get(request.delivery)
  if (!delivery || !(request.redelivery || isOpen(delivery))) return undefined
  const fault = delivery.held && !request.redelivery ? undefined : faultFor(world, delivery)
  const effect = fault?.effect as WebhookEffect | undefined
  if (fault && !request.redelivery && putsOff(world, delivery, effect)) {
    return { delivery: putOff(world, request.listener, delivery, fault), released: [] }
  }

  const marked = fault?.id ?? (request.redelivery ? null : (delivery.held?.fault ?? null))
  const outcomes: Outcome[] = []
  if (effect === 'drop') outcomes.push(dropped(world, marked))
  else {
    outcomes.push(await send(world, delivery, effect, marked, request))
    if (effect === 'duplicate') outcomes.push(await send(world, delivery, effect, marked, request))
  }
  if (request.signal.aborted) return undefined
  return world.store.change((tx) => record(world, tx, request, outcomes))
}

const faultFor = (world: World, { app, organization, event, url }: DeliveryRecord): FaultRecord | undefined => {
  const { pathname: path } = new URL(url)
  return fireFault(world, { surface: 'webhook', method: 'POST', path, app, organization, event: event.type })
}

/** The second of two that would be reordered is itself the one that the first waits for. */
const putsOff = (world: World, { app, organization }: DeliveryRecord, effect: WebhookEffect | undefined): boolean =>
  delayOf(effect) !== undefined ||
  (effect === 'reorder' && world.store.deliveries.in('held', `${app}/${organization}`).size === 0)

/** On the emulator's clock, in ms; undefined when the fault is another one. */
const delayOf = (effect: WebhookEffect | undefined): number | undefined =>
  typeof effect === 'object' ? effect.delay : undefined

function putOff(
  world: World,
  listener: DeliveryListener,
  delivery: DeliveryRecord,
  fault: FaultRecord,
): DeliveryRecord {
  const effect = fault.effect as WebhookEffect
  const held: DeliveryRecord =
    effect === 'reorder'
      ? { ...delivery, held: { effect, fault: fault.id }, due_at: null }
      : { ...delivery, held: { effect: 'delay', fault: fault.id }, due_at: world.clock.timestamp(delayOf(effect)) }
  world.store.change((tx) => {
    tx.put('deliveries', held)
    if (effect === 'reorder') listener.onRecorded(tx, held)
  })
  return held
}

interface Outcome {
  result: 'acknowledged' | 'failed' | 'refused' | 'dropped'
  attempt: AttemptRecord
}

const dropped = (world: World, fault: string | null): Outcome => ({
  result: 'dropped',
  attempt: {
    at: world.clock.timestamp(),
    status: null,
    duration: 0,
    error: 'dropped on its way',
    fault,
    request: { headers: {}, body: null },
    response: null,
  },
})

/** One request to the app. It acknowledges with any 2xx. */
async function send(
  world: World,
  delivery: DeliveryRecord,
  effect: WebhookEffect | undefined,
  fault: string | null,
  { signal, onSent }: AttemptRequest,
): Promise<Outcome> {
  const { signature, idempotencyKey } = headerNames(world.settings.header_prefix)
  const signingSecret = world.store.apps.get(delivery.app)?.signing_secret ?? ''
  const genuine = { body: delivery.body, key: delivery.event.id }
  const sending = underFault(effect, genuine, { signingSecret, otherKey: () => world.random.eventId() })
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    ...(sending.signature !== undefined && { [signature]: sending.signature }),
    [idempotencyKey]: sending.key,
  }
  const attempt: AttemptRecord = {
    at: world.clock.timestamp(),
    status: null,
    duration: 0,
    error: null,
    fault,
    request: {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      body: sending.body === delivery.body ? null : sending.body,
    },
    response: null,
  }
  try {
    const timeout = attemptWindow(world, delivery.event.type)
    const answer = await world.post({ url: delivery.url, headers, body: sending.body, timeout, signal, onSent })
    const { status, duration } = answer
    if (effect === 'lose_ack') {
      return { result: 'failed', attempt: { ...attempt, duration, error: 'the answer was lost on its way' } }
    }
    const acknowledges = status >= 200 && status < 300
    const response = { headers: answer.headers, body: answer.body.slice(0, KEPT_OF_ANSWER) }
    const error = acknowledges ? null : `answered ${status}; only a 2xx acknowledges`
    return {
      result: acknowledges ? 'acknowledged' : 'failed',
      attempt: { ...attempt, status, duration, error, response },
    }
  } catch (error) {
    if (!(error instanceof PostFailure)) throw error
    const { kind, message, duration } = error
    return { result: kind === 'refused' ? 'refused' : 'failed', attempt: { ...attempt, duration, error: message } }
  }
}

/** Characters of an answer's body that the record keeps. */
const KEPT_OF_ANSWER = 10_000

function record(
  world: World,
  tx: Transaction,
  { delivery: id, redelivery, listener }: AttemptRequest,
  outcomes: Outcome[],
): AttemptOutcome | undefined {
  const current = world.store.deliveries.get(id)
  if (!current) return undefined
  const after: DeliveryRecord = {
    ...current,
    ...standing(world, current, redelivery, new Set(outcomes.map(({ result }) => result))),
    attempts: [...current.attempts, ...outcomes.map(({ attempt }) => attempt)],
  }
  tx.put('deliveries', after)
  if (after.ended_at !== null) trimEnded(world, tx, 'deliveries')
  listener.onRecorded(tx, after)
  return { delivery: after, released: release(world, tx, after) }
}

/** control-api: "reorder" (held until after the next one) */
function release(world: World, tx: Transaction, { id, app, organization }: DeliveryRecord): DeliveryRecord[] {
  const held = [...world.store.deliveries.in('held', `${app}/${organization}`)].filter((other) => other.id !== id)
  const released = held.map((delivery) => ({ ...delivery, due_at: world.clock.timestamp() }))
  for (const delivery of released) tx.put('deliveries', delivery)
  return released
}

function standing(
  world: World,
  current: DeliveryRecord,
  redelivery: boolean,
  results: Set<Outcome['result']>,
): Partial<DeliveryRecord> {
  const tries = current.tries + (redelivery ? 0 : 1)
  if (results.has('acknowledged')) return { ...ended(world, 'acknowledged', tries), held: null }
  // A redelivery that fails leaves everything as it was, and so does an attempt that one has overtaken.
  if (redelivery || !isOpen(current)) return {}
  if (results.has('dropped')) return { ...ended(world, 'dropped', tries), held: null }
  if (results.has('refused')) return { ...ended(world, 'failed', tries), held: null }
  return { ...afterFailure(world, current), held: null }
}
