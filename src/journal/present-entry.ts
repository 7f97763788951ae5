import * as z from 'zod'
import { type JournalEntry, type Message, surfaceNames } from '../world/exchange.js'
import { redactBody, redactHeaders, redactParameters } from './redact.js'

const messageShape = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
  length: z.int().describe('Bytes of the whole body, of which the first 64 KB are kept'),
})

/** control-api: "Shapes", journal entry */
export const journalEntryShape = z.object({
  id: z.int(),
  at: z.string(),
  surface: z.enum(surfaceNames),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
  status: z.int().nullable(),
  duration: z.number().describe('Real milliseconds; 0 with a seed while the clock stands still'),
  app: z.string().nullable(),
  organization: z.string().nullable(),
  user: z.string().nullable(),
  sender: z.literal('scenario').nullable().describe('Who sent it, when it was not the app: a step of a scenario'),
  reason: z.string().nullable(),
  fault: z.string().nullable(),
  warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
  request: messageShape,
  response: messageShape,
})

/** An entry without the secrets in it. control-api: "Shapes", journal entry; "Journal" on what is redacted */
export function presentEntry(entry: JournalEntry): z.input<typeof journalEntryShape> {
  const { identity, notes, request, response } = entry
  return {
    id: entry.id,
    at: entry.at,
    surface: entry.surface,
    method: entry.method,
    path: entry.path,
    query: redactParameters(new URLSearchParams(entry.search)),
    status: entry.status,
    duration: entry.told,
    app: identity.app ?? null,
    organization: identity.organization ?? null,
    user: identity.user ?? null,
    sender: entry.sender ?? null,
    reason: notes.reason ?? null,
    fault: notes.fault ?? null,
    warnings: notes.warnings ?? [],
    request: presentMessage(request, ''),
    response: presentMessage(response, 'application/json'),
  }
}

const presentMessage = ({ headers, body, length }: Message, assumedType: string) => ({
  headers: redactHeaders(headers),
  body: redactBody(body, String(headers['content-type'] ?? assumedType), length),
  length,
})
