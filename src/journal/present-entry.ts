import type * as z from 'zod'
import type { JournalEntry, Message } from '../world/exchange.js'
import type { journalEntryShape } from './entry-shape.js'
import { redactBody, redactHeaders, redactParameters } from './redact.js'

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
    ...(entry.sender && { sender: entry.sender }),
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
