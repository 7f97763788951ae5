import { isObject } from '../../foundation/schema/is-object.js'
import { type PlatformClient, PlatformFailure, type PlatformResponse } from './platform-client.js'

/** A resource as the platform shows it. */
export type Shown = Record<string, unknown>

/** A cursor that was kept from an earlier run is no longer valid: the list must be read from its beginning. */
export class StaleCursor extends Error {}

interface PageOptions {
  query?: Record<string, string> | undefined
  /** Of the first page; null: from the beginning. */
  cursor?: string | null
  /** No list is read further. */
  mostPages?: number | undefined
}

/** The payload in the envelope of a success; undefined when there is none. wire: §2 */
export const payloadOf = ({ body }: PlatformResponse): unknown => (isObject(body) ? body.payload : undefined)

/**
 * Reads a list page by page from `cursor` on, each with the cursor of the next; null on the last one.
 * @throws PlatformFailure 1 when a page cannot be read, or the list has no end.
 * @throws StaleCursor when the first cursor is refused.
 */
export async function* pagesOf(
  client: PlatformClient,
  path: string,
  { query = {}, cursor = null, mostPages = 100_000 }: PageOptions = {},
): AsyncGenerator<{ items: Shown[]; next: string | null }> {
  const seen = new Set<string>()
  for (let page = cursor; ; ) {
    const response = await client.request(path, { query: { ...query, ...(page !== null && { page }) } })
    if (response.status === 400 && page !== null && seen.size === 0) throw new StaleCursor()
    const payload = read(path, response)
    const { data, next } = isObject(payload) ? payload : {}
    if (!Array.isArray(data) || !data.every(isObject)) throw unexpected(path, 'no list in payload.data')
    page = typeof next === 'string' && next !== '' ? next : null
    yield { items: data, next: page }
    if (page === null) return
    if (seen.has(page)) throw new PlatformFailure(1, `GET ${path} does not end: a cursor appeared twice`)
    seen.add(page)
    if (seen.size >= mostPages) {
      throw new PlatformFailure(1, `GET ${path} does not end: it has more than ${mostPages} pages`)
    }
  }
}

/** The payload of a response that must be a success. @throws PlatformFailure 1 */
export function read(path: string, response: PlatformResponse): unknown {
  const { status } = response
  const payload = payloadOf(response)
  if (status === 200 && payload !== undefined) return payload
  throw unexpected(path, status === 200 ? 'a body without payload' : `status ${status}${hints[status] ?? ''}`)
}

const hints: Record<number, string> = {
  401: ': the credential was rejected',
  403: ': the credential has no access to this; use the API key of the organization',
  404: ': is this the base URL, without /v0?',
  429: ': the rate limit is still in force; run the command again later',
}

const unexpected = (path: string, what: string) => new PlatformFailure(1, `GET ${path} returned ${what}`)
