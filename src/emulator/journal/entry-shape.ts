import * as z from 'zod'
import { surfaceNames } from '../world/exchange.js'

const messageShape = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
  length: z.int().describe('Bytes of the whole body, of which the first 64 KB are kept when it is text'),
})

/** The wire shape of a journal entry. control-api: "Shapes" */
export const journalEntryShape = z.object({
  id: z.int(),
  at: z.string(),
  surface: z.enum(surfaceNames),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
  search: z.string().optional().describe('The query as sent, if it repeats a parameter'),
  status: z.int().nullable(),
  duration: z.number().describe('Real milliseconds; 0 with a seed while the clock is stopped'),
  app: z.string().nullable(),
  organization: z.string().nullable(),
  user: z.string().nullable(),
  sender: z.literal('scenario').optional().describe('Present when a step of a scenario sent it, not the app'),
  run: z.string().optional().describe('Id of the audit or sweep that caused it; omitted otherwise'),
  mark: z.string().optional().describe('Name of the test or step that was marked when it ended; omitted otherwise'),
  trace_id: z.string().optional().describe('Trace ID from `traceparent`; omitted without one'),
  span_id: z.string().optional().describe("The sender's span in that trace"),
  reason: z.string().nullable(),
  fault: z.string().nullable(),
  findings: z
    .array(z.string())
    .optional()
    .describe('Rules of the findings that cite the entry; left out when there are none'),
  liberties: z.array(z.string()).optional().describe('The liberties that it met; left out when there are none'),
  warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
  request: messageShape,
  response: messageShape,
})

export type ShownEntry = z.input<typeof journalEntryShape>
