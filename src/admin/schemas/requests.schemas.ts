import * as z from 'zod'
import { surfaceNames } from '../../world/exchange.js'
import type { CallSchemas } from '../call.js'
import { affected, message, strict } from '../schema-parts.js'

const journalEntry = z
  .object({
    id: z.int(),
    at: z.string(),
    surface: z.enum(surfaceNames),
    method: z.string(),
    path: z.string(),
    query: z.record(z.string(), z.string()),
    status: z.int().nullable().describe('Null for a request that got no answer'),
    duration: z.number().describe('Milliseconds'),
    app: z.string().nullable(),
    organization: z.string().nullable(),
    user: z.string().nullable(),
    reason: z.string().nullable().describe('Why it was refused, in more words than the wire may have'),
    fault: z.string().nullable().describe('The injected fault that fired'),
    warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
    request: message,
    response: message,
  })
  .meta({ id: 'JournalEntry' })

/** A moment, or the id of an entry: what came later. */
const since = z
  .union([z.number(), z.string()])
  .refine(
    (given) => /^\d+$/.test(String(given)) || z.iso.datetime({ offset: true }).safeParse(given).success,
    "must be an ISO 8601 date-time with Z or an offset, or an entry's id",
  )
  .describe("An ISO 8601 date-time, or an entry's id")

const filters = strict({
  surface: z.enum(surfaceNames).optional(),
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .optional(),
  path: z.string().optional().describe('Exactly, or with `*` for any text'),
  status: z.coerce.number<number | string>().int().optional(),
  app: z.string().optional(),
  organization: z.string().optional(),
  since: since.optional(),
  limit: z.coerce.number<number | string>().int().min(1).optional(),
})
export type RequestFilters = z.output<typeof filters>

/** control-api: "Journal" */
export const requestSchemas = {
  listRequests: { query: filters, answer: journalEntry },
  countRequests: { query: filters, answer: z.object({ count: z.int() }) },
  clearRequests: { answer: affected },
} as const satisfies Record<string, CallSchemas>
