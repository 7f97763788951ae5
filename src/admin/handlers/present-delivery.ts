import { redactBody, redactHeaders } from '../../journal/redact.js'
import type { AttemptRecord, DeliveryRecord } from '../../webhooks/delivery-record.js'
import type { CallResult } from '../call-types.js'

/** control-api: "Shapes", delivery; secrets redacted as "Journal" says */
export const presentDelivery = (delivery: DeliveryRecord): CallResult<'getDelivery'> => ({
  id: delivery.id,
  event: delivery.event,
  installation: delivery.installation,
  organization: delivery.organization,
  url: delivery.url,
  state: delivery.state,
  due_at: delivery.due_at,
  attempts: delivery.attempts.map((attempt) => presentAttempt(attempt, delivery.body)),
})

const presentAttempt = ({ request, response, ...attempt }: AttemptRecord, body: string) => ({
  ...attempt,
  request: {
    headers: redactHeaders(request.headers),
    body: redactBody(request.body ?? body, 'application/json'),
  },
  response: response && {
    headers: redactHeaders(response.headers),
    body: redactBody(response.body, response.headers['content-type'] ?? 'text/plain'),
  },
})
