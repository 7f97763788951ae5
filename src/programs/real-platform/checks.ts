import { isObject } from '../../foundation/schema/is-object.js'
import { check, isFieldName, memberDifferences, type PlatformCheck, shapeOf } from './difference.js'
import { type Evidence, type ListExchange, type PlatformExchange, successful } from './evidence.js'
import { payloadOf } from './pages.js'
import { refusalDifferences } from './refusals.js'
import { type createResourceReader, TIMESTAMPS } from './resource-differences.js'

export interface ApiEvidence extends Evidence {
  resourceDifferences: ReturnType<typeof createResourceReader>
  /** Neutral names of element types to the platform's. */
  typeNames: Record<string, string>
}

const ENVELOPE = 'wire: §2 "success"'
const LIST = 'wire: §2 "list payload"'
const PAGE_SIZE = 50
const RATE_LIMIT = 'X-RateLimit-Limit'
const RATE_LIMITS = [RATE_LIMIT, 'X-RateLimit-Remaining']

const everything = (evidence: Evidence): PlatformExchange[] => [
  ...successful(evidence),
  ...evidence.refused,
  evidence.described,
]

const isSuccess = ({ response }: PlatformExchange) => response.status === 200

/** The credential has no access to it, so it cannot be compared. */
const isOutOfReach = ({ response }: PlatformExchange) => response.status === 403

const withResources = (evidence: ApiEvidence) => successful(evidence).filter(({ items }) => items.length > 0)

const successes = (evidence: Evidence) => successful(evidence).filter(isSuccess)

const payloads = ({ lists }: Evidence) =>
  lists.flat().filter((page) => isSuccess(page) && payloadOf(page.response) !== undefined)

/** A page that differs already in its envelope is compared no further. */
const isPage = ({ next }: ListExchange) => next !== undefined

/** Pages that are followed by another one, or longer than documented. */
const fullPages = ({ lists }: Evidence) =>
  lists.flat().filter((page) => isPage(page) && (page.next || page.items.length > PAGE_SIZE))

const listsOfPages = ({ lists }: Evidence) =>
  lists.map((pages) => ({ where: pages[0]?.where ?? '', pages: pages.filter(isPage) })).filter(({ pages }) => pages[1])

const datedPages = ({ lists }: Evidence) => lists.flat().filter(({ items }) => new Set(timesOf(items)).size > 1)

const filtered = ({ lists }: Evidence) => lists.flat().filter((page) => page.filter && isPage(page))

const whole = (where: string) => () => [{ where }]

const refused = (evidence: Evidence) => evidence.refused.filter((one) => !(one.refusal.mayPass && isSuccess(one)))

/** Every check of `/v0`, in the order in which a reader would look. real-platform: "mockademy compare" */
export const checks: PlatformCheck<ApiEvidence>[] = [
  check('routes', 'wire: §3', successful, function* (exchange) {
    if (isSuccess(exchange) || isOutOfReach(exchange)) return
    yield { field: '', documented: 'status 200', found: `status ${exchange.response.status}` }
  }),

  check('envelope of successes', ENVELOPE, successes, function* ({ response: { body } }) {
    if (!isObject(body)) return yield { field: '', documented: 'a JSON object', found: shapeOf(body) }
    yield* memberDifferences(body, { error: 'null', payload: 'the resource or list' })
    if (body.error != null) yield { field: 'error', documented: 'null', found: shapeOf(body.error) }
  }),

  check('lists', LIST, payloads, function* ({ response }) {
    const payload = payloadOf(response)
    if (!isObject(payload)) {
      return yield { field: 'payload', documented: 'an object with data, next', found: shapeOf(payload) }
    }
    yield* memberDifferences(payload, { data: 'an array', next: 'a cursor or null' })
    const { data = [], next = null } = payload
    if (!Array.isArray(data)) yield { field: 'data', documented: 'an array', found: shapeOf(data) }
    const isNext = next === null || (typeof next === 'string' && next !== '')
    if (!isNext) yield { field: 'next', documented: 'a cursor or null', found: shapeOf(next) }
  }),

  check('page size', LIST, fullPages, function* ({ items }, evidence) {
    if (items.length === PAGE_SIZE) return
    const value = Math.max(...fullPages(evidence).map((page) => page.items.length))
    const [documented, found] = [`${PAGE_SIZE} items a page`, `${items.length} items`]
    yield { field: 'data', documented, found, ...(value > 0 && { setting: { name: 'page_size', value } }) }
  }),

  check('cursors', LIST, listsOfPages, function* ({ pages }) {
    const seen = new Set<unknown>()
    for (const [index, { items }] of pages.entries()) {
      const repeated = items.filter(({ id }) => seen.has(id)).length
      for (const { id } of items) seen.add(id)
      if (repeated === 0) continue
      const isFirstAgain = index === 1 && repeated === items.length
      const found = isFirstAgain ? 'the first page again' : 'items of an earlier page'
      return yield { field: 'next', documented: '?page=<next> is the next page', found }
    }
  }),

  check('order of lists', 'wire: §3 "All lists"', datedPages, function* ({ items }) {
    const times = timesOf(items)
    const sorted = times.toSorted((one, other) => one - other).join()
    if (times.toReversed().join() === sorted) return
    const found = times.join() === sorted ? 'oldest first' : 'another order'
    yield { field: 'created_at', documented: 'newest first', found }
  }),

  check('filters and searches', 'wire: §3', filtered, function* ({ items, filter }) {
    if (!filter || items.every(filter.keeps)) return
    const found = filter.says.startsWith('an empty list') ? 'items' : 'others among them'
    yield { section: filter.source, field: 'data', documented: filter.says, found }
  }),

  check('names of element types', 'spec: §2.2', whole('GET /v0/elements'), function* (_, { typeNames }) {
    const documented = Object.keys(typeNames).join(', ')
    if (documented === '') return
    const found = Object.values(typeNames).filter(isFieldName).join(', ') || 'other names'
    yield { field: 'type', documented, found, setting: { name: 'element_type_names', value: typeNames } }
  }),

  check('fields of resources', 'wire: §4', withResources, (exchange, { resourceDifferences }) =>
    resourceDifferences(exchange).filter(({ section }) => section !== TIMESTAMPS),
  ),

  check('time formats', TIMESTAMPS, withResources, (exchange, { resourceDifferences }) =>
    resourceDifferences(exchange).filter(({ section }) => section === TIMESTAMPS),
  ),

  check('media type', ENVELOPE, everything, function* (exchange) {
    const type = String(exchange.response.headers['content-type'] ?? 'none')
    if (/^application\/json\s*(;|$)/i.test(type) || isOutOfReach(exchange)) return
    yield { field: 'Content-Type', documented: 'application/json', found: type.slice(0, 40) }
  }),

  check('rate limit', 'wire: §2 "rate limit"', whole('a 429'), function* (_, evidence) {
    const all = everything(evidence)
    const headerOf = ({ response }: PlatformExchange, name: string) => response.headers[name.toLowerCase()]
    const first = all.find((exchange) => headerOf(exchange, RATE_LIMIT) !== undefined)
    if (first) {
      const text = headerOf(first, RATE_LIMIT)
      const value = Number(text)
      const found = Number.isNaN(value) ? shapeOf(text) : `${value}`
      const setting = Number.isSafeInteger(value) && value > 0 ? { setting: { name: 'rate_limit', value } } : {}
      yield { where: first.where, field: RATE_LIMIT, documented: 'none unless set', found, ...setting }
      for (const field of RATE_LIMITS) {
        const without = all.find((exchange) => headerOf(exchange, field) === undefined)
        if (without) yield { where: without.where, field, documented: 'on every response', found: 'none' }
      }
    }
    const known = RATE_LIMITS.map((name) => name.toLowerCase())
    for (const { where, response } of all) {
      const others = Object.keys(response.headers).filter((name) => /rate-?limit/i.test(name) && !known.includes(name))
      for (const field of others) yield { where, field, documented: 'no such header', found: 'one' }
    }
    for (const headers of evidence.limited) {
      if (headers['retry-after'] === undefined) yield { field: 'Retry-After', documented: 'seconds', found: 'none' }
    }
  }),

  check('refusals', 'wire: §2 "statuses"', refused, ({ refusal, response }) => refusalDifferences(refusal, response)),

  check('description of the API', 'wire: §3', whole('GET /v0/openapi.json'), function* (_, { described }) {
    const { status, body } = described.response
    if (status !== 200) yield { field: '', documented: 'status 200', found: `status ${status}` }
    else if (!isObject(body) || typeof body.openapi !== 'string') {
      yield { field: 'openapi', documented: 'an OpenAPI document', found: shapeOf(body) }
    }
  }),
]

const timesOf = (items: Record<string, unknown>[]): number[] =>
  items.flatMap(({ created_at: at }) => {
    const time = typeof at === 'string' || typeof at === 'number' ? new Date(at).getTime() : Number.NaN
    return Number.isNaN(time) ? [] : [time]
  })
