import * as z from 'zod'
import { realDuration } from '../../../foundation/schema/duration-schema.js'
import { headersSchema } from '../../../foundation/schema/header-names.js'
import { deliveryStates } from '../../../platform/webhooks/delivery-record.js'
import type { CallSchemas } from '../call.js'
import { message, queryDuration, strict } from '../schema-parts.js'

export const delivery = z
  .object({
    id: z.string(),
    event: z.object({ id: z.string(), type: z.string() }),
    installation: z.string().describe('Id'),
    organization: z.string().describe('Slug'),
    url: z.string(),
    state: z.enum(deliveryStates),
    due_at: z.string().nullable().describe('When the next attempt is due'),
    attempts: z.array(
      z.object({
        at: z.string(),
        status: z.int().nullable(),
        duration: z.number().describe('Real milliseconds; 0 with a seed while the clock stands still'),
        error: z.string().nullable(),
        fault: z.string().nullable(),
        request: message,
        response: message.nullable(),
      }),
    ),
  })
  .meta({ id: 'Delivery' })

const inboxEntry = z
  .object({
    at: z.string(),
    event: z.string().nullable().describe('Its type'),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
    raw: z.string().describe('The body as it came'),
    verified: z.boolean().describe("Whether the signature is that of some app's signing secret"),
    app: z.string().nullable(),
  })
  .meta({ id: 'InboxEntry' })

const inbox = z
  .object({ name: z.string(), status: z.int(), delay: z.number(), headers: z.record(z.string(), z.string()) })
  .meta({ id: 'Inbox' })

const filters = strict({
  event: z.string().optional().describe('Its type'),
  installation: z.string().optional().describe('Id'),
  organization: z.string().optional().describe('Slug'),
  state: z.enum(deliveryStates).optional().describe('How far it has come'),
})

const FIVE_SECONDS = 5_000

/** control-api: "Webhooks" */
export const deliverySchemas = {
  listDeliveries: { query: filters, answer: delivery },
  deliveriesSettled: {
    query: strict({ timeout: queryDuration.default(FIVE_SECONDS).describe('How long to wait, in real time') }),
    answer: z.object({ settled: z.boolean(), waiting: z.array(z.string()).optional() }),
  },
  getDelivery: { answer: delivery },
  redeliver: { answer: delivery },
  sendEvent: {
    body: strict({
      type: z.string().min(1),
      installation: z.string().describe('Id'),
      data: z.record(z.string(), z.unknown()).describe('Of the envelope'),
    }),
    answer: delivery,
  },
  readInbox: {
    query: strict({
      event: z.string().optional().describe('Its type'),
      wait: queryDuration.default(0).describe('How long to wait for one, in real time'),
    }),
    answer: inboxEntry,
  },
  setInbox: {
    body: strict({
      status: z.int().min(200).max(599).default(200),
      delay: realDuration.default(0).describe('How late it responds, in real time'),
      headers: headersSchema.default({}),
    }),
    answer: inbox,
  },
  emptyInbox: { answer: inboxEntry },
} as const satisfies Record<string, CallSchemas>
