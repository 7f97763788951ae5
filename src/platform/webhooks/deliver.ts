import type { WebhookEffect } from '../../emulator/faults/effects.js'
import type { FaultRecord } from '../../emulator/faults/fault-record.js'
import { faultNotes, fireFault } from '../../emulator/faults/faults.js'
import { type EndingWorld, trimEnded } from '../../emulator/world/retention.js'
import type { DeliveryListener } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import type { Transaction } from '../../foundation/store/store.js'
import { type AttemptResult, attempt, droppedAttempt } from './attempt.js'
import { type DeliveryRecord, isOpen } from './delivery-record.js'
import { behaviorOf, delayOf } from './webhook-effects.js'

export interface DeliverRequest {
  delivery: string
  /** True for an attempt on demand, which is none of the schedule. */
  redelivery: boolean
  listener: DeliveryListener
  /** Aborts the attempt; its result is discarded. */
  signal: AbortSignal
  /** Called once the request has left. */
  onSent: () => void
}

export interface Delivered {
  delivery: DeliveryRecord
  /** Deliveries that a fault had postponed until after this one. */
  nowDue: DeliveryRecord[]
}

/**
 * Makes an attempt, or postpones it when a fault says so, and records the result in one change. wire: §7 "an attempt"
 * @returns undefined when the delivery is gone or has ended, or the attempt was aborted.
 */
export async function deliver(world: World, request: DeliverRequest): Promise<Delivered | undefined> {
  const delivery = world.store.deliveries.get(request.delivery)
  if (!delivery || !(request.redelivery || isOpen(delivery))) return undefined
  const fault = delivery.held && !request.redelivery ? undefined : faultFor(world, delivery, request.redelivery)
  const effect = fault?.effect as WebhookEffect | undefined
  if (fault && !request.redelivery && shouldPostpone(world, delivery, effect)) {
    return { delivery: postpone(world, request.listener, delivery, fault), nowDue: [] }
  }

  const { held } = delivery
  const postponed = held && !request.redelivery ? faultNotes({ id: held.fault, effect: held.effect }) : undefined
  const notes = fault ? faultNotes(fault) : postponed
  const behavior = behaviorOf(effect)
  const send = () => attempt(world, delivery, { ...request, behavior, fault: notes })
  let results: AttemptResult[]
  if (notes && behavior === 'drop') results = [{ result: 'dropped', attempt: droppedAttempt(world, delivery, notes) }]
  else if (behavior === 'duplicate_at_once') results = await Promise.all([send(), send()])
  else if (behavior === 'duplicate') results = [await send(), await send()]
  else results = [await send()]
  if (request.signal.aborted) return undefined
  return world.store.change((tx) => record(world, tx, request, results))
}

/** A redelivery is made at once, so a fault that would only postpone it is left for the next attempt. */
function faultFor(world: World, delivery: DeliveryRecord, redelivery: boolean): FaultRecord | undefined {
  const { app, organization, event, url } = delivery
  const { pathname: path } = new URL(url)
  const facts = { surface: 'webhook', method: 'POST', path, app, organization, event: event.type } as const
  return fireFault(world, facts, (effect) => !redelivery || !onlyPostpones(effect as WebhookEffect))
}

const onlyPostpones = (effect: WebhookEffect): boolean => effect === 'reorder' || behaviorOf(effect) === undefined

/** The second of two that would be reordered is itself the one that the first waits for. */
const shouldPostpone = (
  world: Pick<World, 'store'>,
  { app, organization }: DeliveryRecord,
  effect: WebhookEffect | undefined,
): boolean =>
  delayOf(effect) !== undefined ||
  (effect === 'reorder' && world.store.deliveries.in('postponed', `${app}/${organization}`).size === 0)

function postpone(
  world: Pick<World, 'clock' | 'store'>,
  listener: DeliveryListener,
  delivery: DeliveryRecord,
  fault: FaultRecord,
): DeliveryRecord {
  const delay = delayOf(fault.effect as WebhookEffect)
  const held = { effect: delay === undefined ? 'reorder' : 'delay', fault: fault.id } as const
  const due_at = delay === undefined ? null : world.clock.timestamp(delivery.organization, delay)
  return world.store.change((tx) => {
    const postponed = tx.put('deliveries', { ...delivery, held, due_at })
    if (delay === undefined) listener.onDeliveryChange(tx, postponed)
    return postponed
  })
}

function record(
  world: EndingWorld,
  tx: Transaction,
  { delivery: id, redelivery, listener }: DeliverRequest,
  results: AttemptResult[],
): Delivered | undefined {
  const current = world.store.deliveries.get(id)
  if (!current) return undefined
  const after = tx.put('deliveries', {
    ...current,
    ...progressAfter(world, current, redelivery, new Set(results.map(({ result }) => result))),
    attempts: [...current.attempts, ...results.map((result) => result.attempt)],
  })
  if (after.ended_at !== null) trimEnded(world, tx, 'deliveries')
  listener.onDeliveryChange(tx, after)
  return { delivery: after, nowDue: dueAfter(world, tx, after) }
}

/** Makes the deliveries due that a `reorder` has postponed until after this one. control-api: "reorder" */
function dueAfter(world: Pick<World, 'clock' | 'store'>, tx: Transaction, { id, app, organization }: DeliveryRecord) {
  const due_at = world.clock.timestamp(organization)
  return [...world.store.deliveries.in('postponed', `${app}/${organization}`)]
    .filter((other) => other.id !== id)
    .map((delivery) => tx.put('deliveries', { ...delivery, due_at }))
}

/**
 * Returns the changes to a delivery after an attempt. When one of the schedule has failed, the next is due one wait of
 * `retry_schedule` later, on the emulator's clock, until there are no more waits. wire: §7 "retries"
 */
function progressAfter(
  world: Pick<World, 'clock' | 'settings'>,
  current: DeliveryRecord,
  redelivery: boolean,
  results: Set<AttemptResult['result']>,
): Partial<DeliveryRecord> {
  const tries = current.tries + (redelivery ? 0 : 1)
  if (results.has('acknowledged')) return endedDelivery(world, current, 'acknowledged', tries)
  // A redelivery that fails leaves everything as it was, and so does an attempt that one has overtaken.
  if (redelivery || !isOpen(current)) return {}
  if (results.has('dropped')) return endedDelivery(world, current, 'dropped', tries)
  const wait = world.settings.retry_schedule[current.tries]
  if (results.has('refused') || wait === undefined) return endedDelivery(world, current, 'failed', tries)
  const due_at = world.clock.timestamp(current.organization, wait)
  return { state: 'retrying', due_at, ended_at: null, tries, held: null }
}

/** Returns the changes to a delivery that has no further attempt. */
export const endedDelivery = (
  world: Pick<World, 'clock'>,
  { organization }: Pick<DeliveryRecord, 'organization'>,
  state: 'acknowledged' | 'failed' | 'dropped',
  tries: number,
) => ({ state, due_at: null, ended_at: world.clock.timestamp(organization), tries, held: null })
