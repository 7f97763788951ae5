import type * as z from 'zod'
import type { JournalEntry, Message } from '../world/exchange.js'
import type { journalEntryShape } from './entry-shape.js'
import type { Hide } from './known-secrets.js'
import { redactBody, redactHeaders, redactParameters } from './redact.js'

/**
 * An entry without the secrets in it. control-api: "Shapes", journal entry; "Journal" on what is redacted
 * @param hide takes out of its texts the secrets that the world knows.
 */
export function presentEntry(entry: JournalEntry, hide: Hide): z.input<typeof journalEntryShape> {
  const { identity, notes, request, response } = entry
  return {
    id: entry.id,
    at: entry.at,
    surface: entry.surface,
    method: entry.method,
    path: hide(entry.path),
    query: redactParameters(new URLSearchParams(entry.search), hide),
    status: entry.status,
    duration: entry.reportedDuration,
    app: identity.app ?? null,
    organization: identity.organization ?? null,
    user: identity.user ?? null,
    ...(entry.sender && { sender: entry.sender }),
    reason: notes.reason === undefined ? null : hide(notes.reason),
    fault: notes.fault ?? null,
    warnings: (notes.warnings ?? []).map(({ code, path, message }) => ({
      code,
      path: hide(path),
      message: hide(message),
    })),
    request: presentMessage(request, hide),
    response: presentMessage(response, hide),
  }
}

const presentMessage = ({ headers, body, length }: Message, hide: Hide) => ({
  headers: redactHeaders(headers, hide),
  body: redactBody(body, String(headers['content-type'] ?? ''), hide, length),
  length,
})
