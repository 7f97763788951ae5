import type { CallResult } from '../../../control/admin/calls.js'
import type { StreamEvent } from '../../../control/client/event-stream.js'
import { findingKey } from '../../../control/findings/merge-findings.js'
import { isSuccessStatus } from '../../../foundation/http/statuses.js'
import { shownText } from '../../../platform/webhooks/response-text.js'
import { requestLine } from '../terminal/request-line.js'

type Delivery = CallResult<'getDelivery'>
type Exchange = Extract<StreamEvent, { type: 'request' }>['data']
type Finding = Extract<StreamEvent, { type: 'finding' }>['data']

/** Lines of an app's response that are printed with a webhook that it did not acknowledge, besides the first. */
const SHOWN_LINES = 3

interface Log {
  print(line: string): void
  /** The attempts that each delivery had before the first event, by its id. */
  attempts: Map<string, number>
  onWorld(): void
}

/** Prints each exchange, each new finding once, and each webhook that is not acknowledged. dev: point 5 */
export async function printEvents(
  events: AsyncIterable<StreamEvent>,
  { print, attempts, onWorld }: Log,
): Promise<void> {
  const findings = new Set<string>()
  const pending: Finding[] = []
  let reason = ''
  const printPending = () => {
    for (const finding of pending.splice(0)) print(findingLine(finding, reason))
  }
  for await (const event of events) {
    if (event.type === 'request') {
      reason = webhookFailure(event.data)
      // The line of the delivery follows, with the reason.
      print(requestLine(reason === '' ? event.data : { ...event.data, reason: null }))
    }
    if (event.type === 'finding') {
      const key = findingKey(event.data)
      // A finding is sent before the exchange that shows it.
      if (!findings.has(key) && pending.push(event.data) === 1) setImmediate(printPending)
      findings.add(key)
    }
    if (event.type === 'delivery') {
      const { id } = event.data
      // Earlier attempts of a delivery that has not been seen yet are old.
      const failed = event.data.attempts.slice(attempts.get(id) ?? -1).filter(({ error }) => error !== null)
      attempts.set(id, event.data.attempts.length)
      for (const line of failed.flatMap((attempt) => failureLines(event.data, attempt))) print(line)
    }
    if (event.type === 'world') {
      findings.clear()
      attempts.clear()
      onWorld()
    }
  }
}

function webhookFailure({ surface, status, reason }: Exchange): string {
  return surface === 'webhook' && !isSuccessStatus(status) ? (reason ?? '') : ''
}

function findingLine({ rule, level, message }: Finding, reason: string): string {
  // The webhook's line has the reason already.
  const text = reason === '' ? message : message.replace(`: ${reason}`, '')
  return `finding ${level}: ${text} (mockademy findings --explain ${rule})`
}

function failureLines({ event, organization }: Delivery, attempt: Delivery['attempts'][number]): string[] {
  const { error, response } = attempt
  const { body } = response ?? {}
  const text = typeof body === 'string' ? shownText(body) : body == null ? '' : JSON.stringify(body)
  // The error quotes the first one.
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !error?.includes(line.trim()))
  return [
    `not acknowledged: ${event.type} in ${organization}: ${error}`,
    ...lines.slice(0, SHOWN_LINES).map((line) => `  ${line.slice(0, 200)}`),
  ]
}
