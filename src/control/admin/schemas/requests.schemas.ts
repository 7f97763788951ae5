import * as z from 'zod'
import { journalEntryShape } from '../../../emulator/journal/entry-shape.js'
import { surfaceNames } from '../../../emulator/world/exchange.js'
import type { CallSchemas } from '../call.js'
import { affected, strict } from '../schema-parts.js'

const journalEntry = journalEntryShape.meta({ id: 'JournalEntry' })

/** A moment, or the id of an entry: what came later. */
const since = z
  .union([z.number(), z.string()])
  .refine(
    (given) => /^\d+$/.test(String(given)) || z.iso.datetime({ offset: true }).safeParse(given).success,
    "must be an ISO 8601 date-time with Z or an offset, or an entry's id",
  )
  .describe("An ISO 8601 date-time, or an entry's id")

const filters = strict({
  surface: z.enum(surfaceNames).optional().describe('Where it came in; `webhook` is what went out'),
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .optional()
    .describe('Of HTTP'),
  path: z.string().optional().describe('Exactly, or with `*` for any text'),
  status: z.coerce.number<number | string>().int().optional().describe('Of the response'),
  app: z.string().optional().describe('Manifest id or client id'),
  organization: z.string().optional().describe('Slug'),
  since: since.optional(),
  limit: z.coerce.number<number | string>().int().min(1).optional().describe('Only the newest so many'),
})
export type RequestFilters = z.output<typeof filters>

/** control-api: "Journal" */
export const requestSchemas = {
  listRequests: { query: filters, answer: journalEntry },
  countRequests: { query: filters, answer: z.object({ count: z.int() }) },
  clearRequests: { answer: affected },
} as const satisfies Record<string, CallSchemas>
