import type { Redactor } from '../../../emulator/journal/known-secrets.js'
import { redactBody, redactHeaders } from '../../../emulator/journal/redact.js'
import type { AttemptRecord, DeliveryRecord } from '../../../platform/webhooks/delivery-record.js'
import type { CallResult } from '../call-types.js'

/**
 * control-api: "Shapes", delivery; secrets redacted as "Journal" says
 * @param hide takes out of its texts the secrets that the world knows.
 */
export const presentDelivery = (delivery: DeliveryRecord, hide: Redactor): CallResult<'getDelivery'> => ({
  id: delivery.id,
  event: delivery.event,
  installation: delivery.installation,
  organization: delivery.organization,
  url: hide(delivery.url),
  state: delivery.state,
  due_at: delivery.due_at,
  attempts: delivery.attempts.map((attempt) => presentAttempt(attempt, delivery.body, hide)),
})

const presentAttempt = ({ request, response, ...attempt }: AttemptRecord, body: string, hide: Redactor) => ({
  ...attempt,
  error: attempt.error === null ? null : hide(attempt.error),
  request: {
    headers: redactHeaders(request.headers, hide),
    body: redactBody(request.body ?? body, 'application/json', hide),
  },
  response: response && {
    headers: redactHeaders(response.headers, hide),
    body: redactBody(response.body, response.headers['content-type'] ?? '', hide, response.length),
  },
})
