import type { JournalEntry } from '../world/exchange.js'
import { version } from '../world/version.js'
import type { ShownEntry as Entry } from './entry-shape.js'

type Message = Entry['request']

/**
 * Returns journal entries as an HTTP Archive (HAR 1.2), which network panels of browsers open. Its members that begin
 * with `_` are the journal's own. coverage: "HAR"
 * @param entries in their wire shape, whose secrets are redacted.
 * @param origin of the emulator.
 * @param journal the entries as they are kept, with the origins of the receivers of webhooks.
 */
export const harOf = (entries: Entry[], origin: string, journal: JournalEntry[]) => {
  const receivers = new Map(journal.map(({ id, delivery }) => [id, delivery?.origin]))
  return {
    log: {
      version: '1.2',
      creator: { name: 'mockademy', version },
      pages: pagesOf(entries),
      entries: entries.map((entry) => harEntry(entry, receivers.get(entry.id) ?? origin)),
    },
  }
}

/** Returns one page for each mark, so that a network panel shows the requests of a test together. */
function pagesOf(entries: Entry[]) {
  const begins = new Map<string, string>()
  for (const { mark, at } of entries) if (mark !== undefined && !begins.has(mark)) begins.set(mark, at)
  return Array.from(begins, ([id, startedDateTime]) => ({ startedDateTime, id, title: id, pageTimings: {} }))
}

function harEntry(entry: Entry, origin: string) {
  const { id, at, method, path, query, status, duration, reason, fault, mark, request, response } = entry
  const { search = new URLSearchParams(query).toString() } = entry
  return {
    ...(mark !== undefined && { pageref: mark }),
    startedDateTime: at,
    time: duration,
    request: {
      method,
      url: `${origin}${path}${search === '' ? '' : `?${search}`}`,
      ...line(request),
      queryString: pairs(new URLSearchParams(search)),
      ...(request.length > 0 && { postData: { mimeType: typeOf(request), text: textOf(request) } }),
    },
    response: {
      status: status ?? 0,
      statusText: '',
      ...line(response),
      content: { size: response.length, mimeType: typeOf(response), text: textOf(response) },
      redirectURL: response.headers.location ?? '',
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    _entry: id,
    _reason: reason,
    _fault: fault,
  }
}

const line = (message: Message) => ({
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: pairs(Object.entries(message.headers)),
  headersSize: -1,
  bodySize: message.length,
})

const pairs = (values: Iterable<[string, string]>) => Array.from(values, ([name, value]) => ({ name, value }))

const typeOf = ({ headers }: Message) => headers['content-type'] ?? ''

/** Writes a body as text again: the journal shows JSON and forms as values. */
function textOf(message: Message): string {
  const { body } = message
  if (body === null) return ''
  if (typeof body === 'string') return body
  const isForm = /x-www-form-urlencoded/i.test(typeOf(message))
  return isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
}
