import type { faultNotes } from '../../emulator/faults/faults.js'
import { truncateBody } from '../../emulator/journal/journal.js'
import { createRedactor, type Redactor } from '../../emulator/journal/known-secrets.js'
import type { DeliveryFacts, Exchange } from '../../emulator/world/exchange.js'
import { reportedDuration } from '../../emulator/world/reported-duration.js'
import { attemptSpan, traceparent } from '../../emulator/world/trace.js'
import type { PostResponse } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { lowerCaseNames } from '../../foundation/http/header-fields.js'
import { isSuccessStatus } from '../../foundation/http/statuses.js'
import { SendFailure } from '../../foundation/http-client/send.js'
import type { AttemptRecord, DeliveryRecord } from './delivery-record.js'
import { describeBadResponse, describeNoResponse, type FailedWebhook } from './failure-causes.js'
import { attemptWindow } from './lifecycle-events.js'
import { firstLineOf } from './response-text.js'
import { headerNames, sign } from './sign.js'
import { applyWebhookEffect, type Behavior } from './webhook-effects.js'

/** The result of one request to an app. `refused`: its target may not be called. */
export interface AttemptResult {
  result: 'acknowledged' | 'failed' | 'refused' | 'dropped'
  attempt: AttemptRecord
}

interface AttemptRequest {
  behavior: Behavior | undefined
  /** The fault that the attempt is marked with, and the reason that it gives. */
  fault: ReturnType<typeof faultNotes> | undefined
  /** Ends it at once. */
  signal: AbortSignal
  /** Called once the request has left. */
  onSent: () => void
}

const newAttempt = ({ clock }: Pick<World, 'clock'>, organization: string, fault: string | null): AttemptRecord => ({
  at: clock.timestamp(organization),
  status: null,
  duration: 0,
  error: null,
  fault,
  request: { headers: {}, body: null },
  response: null,
})

/** An attempt that never left. */
export const droppedAttempt = (
  world: Pick<World, 'clock'>,
  { organization }: Pick<DeliveryRecord, 'organization'>,
  { fault, reason }: { fault: string | null; reason: string },
): AttemptRecord => ({ ...newAttempt(world, organization, fault), error: `${reason}; nothing was sent` })

/** Posts the delivery's event, as the effect leaves it, and writes the journal. The app acknowledges with any 2xx. */
export async function attempt(world: World, delivery: DeliveryRecord, request: AttemptRequest): Promise<AttemptResult> {
  const { behavior, fault, signal, onSent } = request
  const names = headerNames(world.settings.header_prefix)
  const signingSecret = world.store.apps.get(delivery.app)?.signing_secret ?? ''
  const event = { body: delivery.body, idempotencyKey: delivery.event.id }
  const { body, signature, idempotencyKey } = applyWebhookEffect(behavior, event, signingSecret)
  const span = delivery.cause && attemptSpan(world.random, delivery.cause)
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    ...(signature !== undefined && { [names.signature]: signature }),
    [names.idempotencyKey]: idempotencyKey,
    ...(span && { traceparent: traceparent(span) }),
  }
  const begun = {
    ...newAttempt(world, delivery.organization, fault?.fault ?? null),
    request: { headers: lowerCaseNames(headers), body: body === delivery.body ? null : body },
  }
  const { window, windowSetting } = attemptWindow(world, delivery.event.type)
  const posted =
    behavior === 'unreachable'
      ? new SendFailure('network', 'the connection was refused', 0)
      : await world
          .post({ url: delivery.url, headers, body, timeout: window, signal, onSent })
          .catch((failure: SendFailure) => failure)
  const isOriginal = body === delivery.body && idempotencyKey === delivery.event.id
  const sent = kindOfSent(signature === sign(body, signingSecret), isOriginal)
  const signed = { url: new URL(delivery.url), body, signingSecret, signatureHeader: names.signature }
  const emulator = { host: world.settings.host, addresses: world.addresses }
  const isFirst = () =>
    Array.from(world.store.deliveries.all).every(({ app, state }) => app !== delivery.app || state !== 'acknowledged')
  const failureContext = { ...signed, sent, window, windowSetting, isFirst, emulator }
  const { result, error, ...received } = resultOf(
    posted,
    behavior === 'lose_ack',
    failureContext,
    createRedactor(world),
  )
  const record = { ...begun, ...received, error: error && fault ? `${fault.reason}; ${error}` : error }
  if (!signal.aborted) {
    const trace = span && { sentIn: span, span: { ...span, parent: delivery.cause?.span_id } }
    recordAttempt(world, delivery, body, record, { window, sent }, { ...trace, reason: fault?.reason })
  }
  return { result, attempt: { ...record, duration: reportedDuration(world, record.duration) } }
}

function kindOfSent(isSigned: boolean, isOriginal: boolean): DeliveryFacts['sent'] {
  if (!isSigned) return 'forged'
  return isOriginal ? 'genuine' : 'altered'
}

type Result = Pick<AttemptResult, 'result'> & Pick<AttemptRecord, 'duration' | 'error'> & Partial<AttemptRecord>

function resultOf(
  posted: PostResponse | SendFailure,
  isLost: boolean,
  webhook: FailedWebhook,
  redact: Redactor,
): Result {
  const { duration } = posted
  if (posted instanceof SendFailure) {
    const error = describeNoResponse(posted, webhook)
    return { result: posted.kind === 'refused' ? 'refused' : 'failed', duration, error }
  }
  if (isLost) return { result: 'failed', duration, error: 'the response was lost' }
  const { status, headers } = posted
  const { body, length } = truncateBody(posted)
  const text = body?.toString() ?? ''
  const received = { status, duration, response: { headers, body: text, length } }
  if (isSuccessStatus(status)) return { result: 'acknowledged', error: null, ...received }
  const said = firstLineOf(text, headers['content-type'], redact)
  const location = addressIn(headers.location, webhook.url)
  return {
    result: 'failed',
    error: describeBadResponse({ ...webhook, status, headers, text, said, location }),
    ...received,
  }
}

const addressIn = (location: string | undefined, base: URL): URL | undefined =>
  location !== undefined && URL.canParse(location, base.href) ? new URL(location, base) : undefined

/** Records the attempt in the journal. control-api: "Journal" */
function recordAttempt(
  world: Pick<World, 'journal'>,
  { id, event, url, app, organization, liberties }: DeliveryRecord,
  body: string,
  attempt: AttemptRecord,
  facts: Pick<DeliveryFacts, 'window' | 'sent'>,
  { reason: faultReason, ...trace }: Pick<Exchange, 'sentIn' | 'span'> & { reason: string | undefined },
): void {
  const reason = attempt.error ?? faultReason
  const { host, origin, pathname: path, search } = new URL(url)
  world.journal.record({
    at: attempt.at,
    surface: 'webhook',
    method: 'POST',
    path,
    search: search.slice(1),
    status: attempt.status,
    duration: attempt.duration,
    client: '',
    ...trace,
    delivery: { id, event: event.type, event_id: event.id, origin, ...facts },
    identity: { app, organization },
    notes: {
      ...(reason !== undefined && { reason }),
      ...(attempt.fault !== null && { fault: attempt.fault }),
      ...(liberties && { liberties }),
    },
    request: { headers: { host, ...attempt.request.headers }, body },
    response: { headers: {}, body: undefined, ...attempt.response },
  })
}
