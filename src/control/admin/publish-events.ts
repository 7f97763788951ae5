import { createRedactor } from '../../emulator/journal/known-secrets.js'
import { presentEntry } from '../../emulator/journal/present-entry.js'
import { ENTRY_BYTES, type JournalEntry } from '../../emulator/world/exchange.js'
import { runOf } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'
import type { DeliveryRecord } from '../../platform/webhooks/delivery-record.js'
import { presentClock, presentDelivery, presentFinding } from './stream-shapes.js'

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
