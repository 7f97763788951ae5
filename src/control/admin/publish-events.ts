import { createRedactor, type Redactor } from '../../emulator/journal/known-secrets.js'
import { presentEntry } from '../../emulator/journal/present-entry.js'
import { redactBody, redactHeaders } from '../../emulator/journal/redact.js'
import { ENTRY_BYTES, type JournalEntry } from '../../emulator/world/exchange.js'
import type { Finding } from '../../emulator/world/parts.js'
import { runOf } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'
import type { AttemptRecord, DeliveryRecord } from '../../platform/webhooks/delivery-record.js'

/** Publishes what happens in the world to its stream. Secrets are redacted as in the journal. control-api: "Journal" */
export function publishEvents(world: World): void {
  const { stream, store } = world
  store.onChange((changes) => {
    if (stream.isRenewing) return
    for (const { collection, id, after } of changes) {
      stream.publish('change', () => ({ collection, id, kind: after ? 'put' : 'removed' }))
      if (collection === 'deliveries' && after) {
        const delivery = after as DeliveryRecord
        stream.publish('delivery', () => presentDelivery(world, delivery, createRedactor(world)), {
          size: sizeOfDelivery(delivery),
          run: runOf(world, delivery),
        })
      }
      if (collection === 'clock' || collection === 'organization_clocks') {
        const state = presentClock(world)
        stream.publish('clock', () => state)
      }
    }
  })
  world.findings.onFinding((finding) =>
    stream.publish('finding', () => presentFinding(finding, createRedactor(world)), { run: finding.run }),
  )
  world.journal.onEntry((entry) =>
    stream.publish('request', () => presentEntry(entry, createRedactor(world), world.findings.citing(entry.id)), {
      size: sizeOf(entry),
      run: entry.run,
    }),
  )
}

/** Publishes a change of something that is not a record: the journal, findings, a snapshot, an inbox or a recording. control-api: "Journal" */
export const publishChange = (
  { stream }: Pick<World, 'stream'>,
  collection: 'requests' | 'findings' | 'snapshots' | 'inboxes' | 'recordings',
  id: string,
  kind: 'put' | 'removed' = 'removed',
) => stream.publish('change', () => ({ collection, id, kind }))

const sizeOfDelivery = ({ body, attempts }: DeliveryRecord) =>
  attempts.reduce((size, { response }) => size + body.length + (response?.body.length ?? 0), body.length)

const sizeOf = ({ request, response }: JournalEntry) =>
  ENTRY_BYTES + (request.body?.length ?? 0) + (response.body?.length ?? 0)

// Deliveries and findings as calls and the stream show them: without secrets. A start loads no schemas with them.

/** control-api: "Shapes", delivery */
export const presentDelivery = (world: Pick<World, 'store'>, delivery: DeliveryRecord, hide: Redactor) => ({
  id: delivery.id,
  event: delivery.event,
  installation: delivery.installation,
  organization: delivery.organization,
  run: runOf(world, delivery),
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

/** Returns every clock: the emulator's, and those of the organizations that have one of their own. control-api: "Clock" */
export const presentClock = ({ clock }: Pick<World, 'clock'>) => ({
  ...clock.state(null),
  organizations: clock.organizations().map((organization) => ({ organization, ...clock.state(organization) })),
})

/** control-api: "Findings" */
export const presentFinding = (finding: Finding, hide: Redactor) => ({ ...finding, message: hide(finding.message) })
