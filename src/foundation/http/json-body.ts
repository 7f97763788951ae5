import { isUtf8 } from 'node:buffer'
import type * as z from 'zod'
import { withoutByteOrderMark } from '../schema/byte-order-mark.js'
import { belowPrefix, readBySchema } from '../schema/issue.js'
import { isDeep, TOO_DEEP } from '../schema/json-depth.js'
import { parseJsonText } from '../schema/json-text.js'
import { contentCodingIssue, contentTypeIssue } from './content-type.js'
import { invalid, Refusal, refuseTooLarge } from './refusal.js'
import { grouped, type Request } from './request.js'

/** Returns the request's JSON value; undefined without a body. @throws Refusal 413, 415 or 400 `malformed`. wire: §2 */
export function jsonBody(request: Pick<Request, 'body' | 'exceededLimit' | 'headers'>): unknown {
  refuseTooLarge(request)
  if (request.body.length === 0) return undefined
  const message = contentCodingIssue(request)
  if (message !== undefined) throw new Refusal('unsupported_media_type', { message })
  const reason = contentTypeIssue('json', request)
  if (reason !== undefined) throw new Refusal('unsupported_media_type', { reason })
  if (!isUtf8(request.body)) throw new Refusal('malformed', { reason: 'The body is not UTF-8' })
  const text = withoutByteOrderMark(request.body.toString())
  refuseDeep(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal('malformed', { reason: `The body is not valid JSON: ${whyMalformed(text, error as Error)}` })
  }
}

/** Characters of the longest malformed body whose first error is looked for. */
const MAX_SEARCHED = 8 * 1024

/** Describes a text that is not JSON. The parser's message may quote it, and it may be a secret. control-api: "Journal" */
function whyMalformed(text: string, { message }: Error): string {
  const [unserialized] = /^(undefined|-?Infinity|NaN|\[object [A-Z][A-Za-z]{1,30}\])$/.exec(text) ?? []
  if (unserialized) return `it is the text "${unserialized}", so the value was not passed through JSON.stringify`
  if (/^[\w.[\]-]+=(?!=?$)/.test(text)) return 'it looks like a form (name=value)'
  // The messages that quote the text do not say where the error is.
  const quotes = message.search(/, (?:\.\.\.)?"/)
  if (quotes < 0) return message
  if (text.length > MAX_SEARCHED) return message.slice(0, quotes)
  const { line, column, reason } = parseJsonText(text)
  return `${reason} at line ${line}, column ${column}`
}

/** Rejects JSON text that is nested too deeply for recursive code. @throws Refusal 400. wire: §2 "shape of a body" */
export function refuseDeep(text: string): void {
  if (isDeep(text)) throw invalid([{ path: '', message: `is ${TOO_DEEP}` }])
}

/** `value` as the schema reads it. @throws Refusal `invalid` with an entry for each issue. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, issues } = readBySchema(schema, value)
  if (!issues) return data
  throw invalid(belowPrefix(issues))
}

/** Returns the query as the schema reads it. @throws Refusal `invalid`, also for a parameter that is given more than once. */
export function parseQuery<S extends z.ZodType>(schema: S, query: URLSearchParams): z.output<S> {
  const repeated = [...grouped(query)].filter(([, values]) => values.length > 1)
  if (repeated.length > 0) throw invalid(repeated.map(([path]) => ({ path, message: 'is given more than once' })))
  return parse(schema, Object.fromEntries(query))
}
