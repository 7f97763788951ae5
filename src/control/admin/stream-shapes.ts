import type { Redactor } from '../../emulator/journal/known-secrets.js'
import { redactBody, redactHeaders } from '../../emulator/journal/redact.js'
import type { Finding } from '../../emulator/world/parts.js'
import { runOf } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'
import type { AttemptRecord, DeliveryRecord } from '../../platform/webhooks/delivery-record.js'

// Deliveries and findings as calls and the stream show them: without secrets. A start loads no schemas with them.

/** control-api: "Shapes", delivery */
export const presentDelivery = (world: Pick<World, 'store'>, delivery: DeliveryRecord, redact: Redactor) => ({
  id: delivery.id,
  event: delivery.event,
  installation: delivery.installation,
  organization: delivery.organization,
  run: runOf(world, delivery),
  url: redact(delivery.url),
  state: delivery.state,
  due_at: delivery.due_at,
  attempts: delivery.attempts.map((attempt) => presentAttempt(attempt, delivery.body, redact)),
})

const presentAttempt = ({ request, response, ...attempt }: AttemptRecord, body: string, redact: Redactor) => ({
  ...attempt,
  error: attempt.error === null ? null : redact(attempt.error),
  request: {
    headers: redactHeaders(request.headers, redact),
    body: redactBody(request.body ?? body, 'application/json', redact),
  },
  response: response && {
    headers: redactHeaders(response.headers, redact),
    body: redactBody(response.body, response.headers['content-type'] ?? '', redact, response.length),
  },
})

/** Returns every clock: the emulator's, and those of the organizations that have one of their own. control-api: "Clock" */
export const presentClock = ({ clock }: Pick<World, 'clock'>) => ({
  ...clock.state(null),
  organizations: clock.organizations().map((organization) => ({ organization, ...clock.state(organization) })),
})

/** control-api: "Findings" */
export const presentFinding = (finding: Finding, redact: Redactor) => ({ ...finding, message: redact(finding.message) })
