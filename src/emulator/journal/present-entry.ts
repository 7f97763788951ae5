import { type JournalEntry, type Message, markPath } from '../world/exchange.js'
import { traceIdOf } from '../world/trace.js'
import type { ShownEntry } from './entry-shape.js'
import type { Redactor } from './known-secrets.js'
import { redactBody, redactHeaders, redactParameters, redactSearch } from './redact.js'

/**
 * Returns an entry in its wire shape, without secrets. control-api: "Shapes", "Journal"
 * @param findings rules of the findings that cite it.
 */
export function presentEntry(entry: JournalEntry, redact: Redactor, findings: string[]): ShownEntry {
  const { identity, notes, request, response } = entry
  const trace_id = traceIdOf(entry)
  const parameters = new URLSearchParams(entry.search)
  const query = redactParameters(parameters, redact)
  return {
    id: entry.id,
    at: entry.at,
    surface: entry.surface,
    method: entry.method,
    path: redact(entry.path),
    query,
    ...(parameters.size > Object.keys(query).length && { search: redactSearch(entry.search, redact) }),
    status: entry.status,
    duration: entry.reportedDuration,
    app: identity.app ?? null,
    organization: identity.organization ?? null,
    user: identity.user ?? null,
    ...(entry.sender && { sender: entry.sender }),
    ...(entry.run && { run: entry.run }),
    ...(entry.marks && { mark: redact(markPath(entry.marks)) }),
    ...(trace_id !== undefined && { trace_id }),
    ...(entry.sentIn && { span_id: entry.sentIn.span_id }),
    reason: notes.reason === undefined ? null : redact(notes.reason),
    fault: notes.fault ?? null,
    ...(findings.length > 0 && { findings }),
    ...(notes.liberties && { liberties: notes.liberties }),
    warnings: (notes.warnings ?? []).map((each) => ({
      ...each,
      path: redact(each.path),
      message: redact(each.message),
    })),
    request: presentMessage(request, redact),
    response: presentMessage(response, redact),
  }
}

const presentMessage = ({ headers, body, length }: Message, redact: Redactor) => ({
  headers: redactHeaders(headers, redact),
  body: redactBody(body, String(headers['content-type'] ?? ''), redact, length),
  length,
})
