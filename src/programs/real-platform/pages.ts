import { isObject } from '../../foundation/schema/is-object.js'
import type { Answer, PlatformClient } from './platform-client.js'
import { PlatformFailure } from './platform-failure.js'

/** A resource as the platform shows it. */
export type Shown = Record<string, unknown>

/** One page of a list. wire: §2 "list payload" */
export interface PlatformPage {
  items: Shown[]
  /** The cursor of the next page; null on the last one. */
  next: string | null
}

/** A cursor that was kept from an earlier run is no longer good: the list must be read from its beginning. */
export class StaleCursor extends Error {}

/** What the envelope of a success holds; undefined when there is none. wire: §2 */
export const payloadOf = ({ body }: Answer): unknown => (isObject(body) ? body.payload : undefined)

/**
 * Every page of a list, from `cursor` on.
 * @throws PlatformFailure 1 when a page cannot be read, or the list has no end.
 * @throws StaleCursor when the first cursor is refused.
 */
export async function* pagesOf(
  client: PlatformClient,
  path: string,
  query: Record<string, string> = {},
  cursor: string | null = null,
): AsyncGenerator<PlatformPage> {
  const seen = new Set<string>()
  for (let page = cursor; ; ) {
    const answer = await client.request(path, { query: { ...query, ...(page !== null && { page }) } })
    if (answer.status === 400 && page !== null && seen.size === 0) throw new StaleCursor()
    const read = readPage(path, answer)
    yield read
    if (read.next === null) return
    if (seen.has(read.next)) throw new PlatformFailure(1, `GET ${path} does not end: a cursor appeared twice`)
    seen.add(read.next)
    page = read.next
  }
}

function readPage(path: string, answer: Answer): PlatformPage {
  const payload = read(path, answer)
  const { data, next } = isObject(payload) ? payload : {}
  if (!Array.isArray(data) || !data.every(isObject)) throw unexpected(path, 'no list in payload.data')
  return { items: data, next: typeof next === 'string' && next !== '' ? next : null }
}

/** The payload of a response that must be a success. @throws PlatformFailure 1 */
export function read(path: string, answer: Answer): unknown {
  const { status } = answer
  if (status === 200 && payloadOf(answer) !== undefined) return payloadOf(answer)
  throw unexpected(path, status === 200 ? 'a body without payload' : `status ${status}${hints[status] ?? ''}`)
}

const hints: Record<number, string> = {
  401: ': the credential was rejected',
  403: ': the credential has no access to this; use the API key of the organization',
  404: ': is this the base URL, without /v0?',
  429: ': the rate limit is still in force; run the command again later',
}

const unexpected = (path: string, what: string) => new PlatformFailure(1, `GET ${path} returned ${what}`)
