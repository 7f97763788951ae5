import type { WebhookEffect } from '../../emulator/faults/effects.js'
import { truncateBody } from '../../emulator/journal/journal.js'
import type { DeliveryFacts } from '../../emulator/world/exchange.js'
import { reportedDuration } from '../../emulator/world/reported-duration.js'
import type { PostResponse } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { lowerCaseNames } from '../../foundation/http/header-fields.js'
import { SendFailure } from '../../foundation/http-client/send.js'
import type { AttemptRecord, DeliveryRecord } from './delivery-record.js'
import { attemptWindow } from './lifecycle-events.js'
import { headerNames, sign } from './sign.js'
import { behaviourOf, underEffect } from './webhook-effects.js'

/** The result of one request to an app. `refused`: its target may not be called. */
export interface AttemptResult {
  result: 'acknowledged' | 'failed' | 'refused' | 'dropped'
  attempt: AttemptRecord
}

interface AttemptRequest {
  effect: WebhookEffect | undefined
  /** The id of the fault that the attempt is marked with. */
  fault: string | null
  /** Ends it at once. */
  signal: AbortSignal
  /** Called once the request has left. */
  onSent: () => void
}

/** An attempt that never left. */
export const dropped = (world: Pick<World, 'clock'>, fault: string | null): AttemptResult => ({
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

/** Posts the delivery's event, as the effect leaves it, and writes the journal. The app acknowledges with any 2xx. */
export async function attempt(world: World, delivery: DeliveryRecord, request: AttemptRequest): Promise<AttemptResult> {
  const { effect, fault, signal, onSent } = request
  const names = headerNames(world.settings.header_prefix)
  const secret = world.store.apps.get(delivery.app)?.signing_secret ?? ''
  const event = { body: delivery.body, idempotencyKey: delivery.event.id }
  const { body, signature, idempotencyKey } = underEffect(behaviourOf(effect), event, secret)
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    ...(signature !== undefined && { [names.signature]: signature }),
    [names.idempotencyKey]: idempotencyKey,
  }
  const made: AttemptRecord = {
    at: world.clock.timestamp(),
    status: null,
    duration: 0,
    error: null,
    fault,
    request: { headers: lowerCaseNames(headers), body: body === delivery.body ? null : body },
    response: null,
  }
  const timeout = attemptWindow(world, delivery.event.type)
  const posted = await world
    .post({ url: delivery.url, headers, body, timeout, signal, onSent })
    .catch((error: unknown) => failureIn(error))
  const result = resultOf(made, posted, effect)
  const isSigned = signature === sign(body, secret)
  const isGenuine = isSigned && body === delivery.body && idempotencyKey === delivery.event.id
  const sent = isGenuine ? 'genuine' : isSigned ? 'altered' : 'forged'
  if (!signal.aborted) recordAttempt(world, delivery, body, result.attempt, { window: timeout, sent })
  return { ...result, attempt: { ...result.attempt, duration: reportedDuration(world, result.attempt.duration) } }
}

/** Returns a `SendFailure`, and throws any other error. */
function failureIn(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error
  throw error
}

function resultOf(
  made: AttemptRecord,
  posted: PostResponse | SendFailure,
  effect: WebhookEffect | undefined,
): AttemptResult {
  const { duration } = posted
  if (posted instanceof SendFailure) {
    const result = posted.kind === 'refused' ? 'refused' : 'failed'
    return { result, attempt: { ...made, duration, error: posted.message } }
  }
  if (behaviourOf(effect)?.does === 'lose_ack') {
    return { result: 'failed', attempt: { ...made, duration, error: 'the response was lost on its way' } }
  }
  const { status } = posted
  const acknowledges = status >= 200 && status < 300
  const { body, length } = truncateBody(posted)
  const response = { headers: posted.headers, body: body?.toString() ?? '', length }
  const error = acknowledges ? null : `the app answered ${status}; only a 2xx acknowledges`
  return { result: acknowledges ? 'acknowledged' : 'failed', attempt: { ...made, status, duration, error, response } }
}

/** Records the attempt in the journal. control-api: "Journal" */
function recordAttempt(
  world: Pick<World, 'journal'>,
  { id, event, url, app, organization }: DeliveryRecord,
  body: string,
  made: AttemptRecord,
  facts: Pick<DeliveryFacts, 'window' | 'sent'>,
): void {
  const { host, pathname: path, search } = new URL(url)
  world.journal.record({
    at: made.at,
    surface: 'webhook',
    method: 'POST',
    path,
    search: search.slice(1),
    status: made.status,
    duration: made.duration,
    client: '',
    delivery: { id, event: event.type, ...facts },
    identity: { app, organization },
    notes: { ...(made.error !== null && { reason: made.error }), ...(made.fault !== null && { fault: made.fault }) },
    request: { headers: { host, ...made.request.headers }, body },
    response: { headers: {}, body: undefined, ...made.response },
  })
}
