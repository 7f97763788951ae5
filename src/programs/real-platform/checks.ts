import { isObject } from '../../foundation/schema/is-object.js'
import type { SeenDifference } from './difference.js'
import type { Evidence, ListExchange, PlatformExchange } from './evidence.js'
import { fieldDifferences, resourcesOf, timeDifferences } from './field-differences.js'
import { membersOf } from './members-of.js'
import { refusalDifferences } from './refusal-differences.js'
import type { SchemaReader } from './schema-differences.js'
import { isFieldName, shapeOf } from './shape.js'

/** What a check judges by. */
export interface Judged {
  evidence: Evidence
  schemas: SchemaReader
  /** Neutral names of element types to the platform's. */
  typeNames: Record<string, string>
}

/** One decision that the platform is held against. */
export interface PlatformCheck {
  name: string
  /** The decision, where a difference has no closer one of its own. */
  section: string
  /** Every difference; undefined when there was nothing to judge it by. */
  run(judged: Judged): Iterable<SeenDifference> | undefined
}

const ENVELOPE = 'wire: §2 "success"'
const LIST = 'wire: §2 "list payload"'
const RATE = 'wire: §2 "rate limit"'

/** Successes of `/v0` that must have the envelope. */
const successes = ({ lists, resources }: Evidence): PlatformExchange[] =>
  [...lists, ...resources].filter(({ answer }) => answer.status === 200)

const everything = ({ lists, resources, refused, described }: Evidence): PlatformExchange[] => [
  ...lists,
  ...resources,
  ...refused,
  described,
]

/** Pages that are there, by list: what differs already at the envelope or the list is not judged by what it holds. */
function pagesByList({ lists }: Evidence): ListExchange[][] {
  const all: ListExchange[][] = []
  for (const one of lists) {
    if (one.next === undefined) continue
    if (one.page === 0) all.push([one])
    else all.at(-1)?.push(one)
  }
  return all
}

/** The check has something to judge by when the list is not empty. */
const whenAny = <T>(
  judgedBy: T[],
  run: (judgedBy: T[]) => Iterable<SeenDifference>,
): Iterable<SeenDifference> | undefined => (judgedBy.length === 0 ? undefined : run(judgedBy))

/** Every check of `/v0`, in the order in which a reader would look. real-platform: "mockademy compare" */
export const checks: PlatformCheck[] = [
  {
    name: 'routes',
    section: 'wire: §3',
    *run({ evidence }) {
      for (const { where, answer } of [...evidence.lists, ...evidence.resources]) {
        if (answer.status === 200 || isOutOfReach(answer.status)) continue
        yield { section: 'wire: §3', where, field: '', documented: 'status 200', found: `status ${answer.status}` }
      }
    },
  },
  {
    name: 'envelope of successes',
    section: ENVELOPE,
    run: ({ evidence }) =>
      whenAny(successes(evidence), function* (exchanges) {
        for (const { where, answer } of exchanges) {
          const base = { section: ENVELOPE, where }
          if (!isObject(answer.body)) {
            yield { ...base, field: '', documented: 'a JSON object', found: shapeOf(answer.body) }
            continue
          }
          yield* membersOf(answer.body, { error: 'null', payload: 'the resource or list' }, base)
          const { error } = answer.body
          if (error != null) yield { ...base, field: 'error', documented: 'null', found: shapeOf(error) }
        }
      }),
  },
  {
    name: 'lists',
    section: LIST,
    run: ({ evidence }) =>
      whenAny(
        evidence.lists.filter(({ answer }) => isObject(answer.body) && Object.hasOwn(answer.body, 'payload')),
        function* (lists) {
          for (const { where, answer } of lists) {
            const { payload } = answer.body as Record<string, unknown>
            const base = { section: LIST, where }
            if (answer.status !== 200) continue
            if (!isObject(payload)) {
              yield { ...base, field: 'payload', documented: 'an object with data, next', found: shapeOf(payload) }
              continue
            }
            yield* membersOf(payload, { data: 'an array', next: 'a cursor or null' }, base)
            const { data = [], next = null } = payload
            if (!Array.isArray(data)) yield { ...base, field: 'data', documented: 'an array', found: shapeOf(data) }
            const isNext = next === null || (typeof next === 'string' && next !== '')
            if (!isNext) yield { ...base, field: 'next', documented: 'a cursor or null', found: shapeOf(next) }
          }
        },
      ),
  },
  {
    name: 'page size',
    section: LIST,
    run: ({ evidence }) =>
      whenAny(
        pagesByList(evidence).flatMap((pages) => pages.filter(({ next, items }) => next || items.length > PAGE_SIZE)),
        function* (pages) {
          for (const { where, items } of pages) {
            if (items.length === PAGE_SIZE) continue
            const setting = { name: 'page_size', value: Math.max(...pages.map((page) => page.items.length)) }
            const found = `${items.length} items`
            yield { section: LIST, where, field: 'data', documented: `${PAGE_SIZE} items a page`, found, setting }
          }
        },
      ),
  },
  {
    name: 'cursors',
    section: LIST,
    run: ({ evidence }) =>
      whenAny(
        pagesByList(evidence).filter((pages) => pages.length > 1),
        function* (lists) {
          for (const pages of lists) {
            const seen = new Set<unknown>()
            for (const [index, { where, items }] of pages.entries()) {
              const repeated = items.filter(({ id }) => seen.has(id)).length
              for (const { id } of items) seen.add(id)
              if (repeated === 0) continue
              const isFirstAgain = index === 1 && repeated === items.length
              const found = isFirstAgain ? 'the first page again' : 'items of an earlier page'
              yield { section: LIST, where, field: 'next', documented: '?page=<next> is the next page', found }
              break
            }
          }
        },
      ),
  },
  {
    name: 'order of lists',
    section: 'wire: §3 "All lists"',
    run: ({ evidence }) =>
      whenAny(
        evidence.lists.filter(({ items }) => new Set(timesOf(items)).size > 1),
        function* (lists) {
          for (const { where, items } of lists) {
            const times = timesOf(items)
            if (times.every((time, index) => index === 0 || time <= (times[index - 1] as number))) continue
            const isReversed = times.every((time, index) => index === 0 || time >= (times[index - 1] as number))
            const found = isReversed ? 'oldest first' : 'another order'
            yield { section: 'wire: §3 "All lists"', where, field: 'created_at', documented: 'newest first', found }
          }
        },
      ),
  },
  {
    name: 'filters and searches',
    section: 'wire: §3',
    run: ({ evidence }) =>
      whenAny(
        evidence.lists.filter(({ filter, next }) => filter && next !== undefined),
        function* (lists) {
          for (const { where, items, filter } of lists) {
            if (!filter || items.every(filter.keeps)) continue
            const found = filter.empty ? 'items' : 'others among them'
            yield { section: filter.source, where, field: 'data', documented: filter.says, found }
          }
        },
      ),
  },
  {
    name: 'names of element types',
    section: 'spec: §2.2',
    *run({ typeNames }) {
      if (Object.keys(typeNames).length === 0) return
      yield {
        section: 'spec: §2.2',
        where: 'GET /v0/elements',
        field: 'type',
        documented: Object.keys(typeNames).join(', '),
        found: Object.values(typeNames).filter(isFieldName).join(', ') || 'other names',
        setting: { name: 'element_type_names', value: typeNames },
      }
    },
  },
  {
    name: 'fields of resources',
    section: 'wire: §4',
    run: ({ evidence, schemas }) => whenAny(resourcesOf(evidence), (all) => fieldDifferences(all, schemas)),
  },
  {
    name: 'time formats',
    section: 'wire: §1 "timestamps"',
    run: ({ evidence, schemas }) => whenAny(resourcesOf(evidence), (all) => timeDifferences(all, schemas)),
  },
  {
    name: 'media type',
    section: ENVELOPE,
    run: ({ evidence }) =>
      whenAny(everything(evidence), function* (exchanges) {
        for (const { where, answer } of exchanges) {
          const type = String(answer.headers['content-type'] ?? 'none')
          if (/^application\/json\s*(;|$)/i.test(type) || isOutOfReach(answer.status)) continue
          yield {
            section: ENVELOPE,
            where,
            field: 'Content-Type',
            documented: 'application/json',
            found: type.slice(0, 40),
          }
        }
      }),
  },
  {
    name: 'rate limit',
    section: RATE,
    *run({ evidence }) {
      const carried = (name: string) => everything(evidence).filter(({ answer }) => answer.headers[name] !== undefined)
      const limits = carried('x-ratelimit-limit')
      const [first] = limits
      if (first) {
        const limit = Number(first.answer.headers['x-ratelimit-limit'])
        const setting = Number.isInteger(limit) && limit > 0 ? { setting: { name: 'rate_limit', value: limit } } : {}
        const base = { section: RATE, where: first.where }
        yield { ...base, field: 'X-RateLimit-Limit', documented: 'none unless set', found: `${limit}`, ...setting }
        for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining']) {
          const missing = everything(evidence).find(({ answer }) => answer.headers[name.toLowerCase()] === undefined)
          if (missing)
            yield { section: RATE, where: missing.where, field: name, documented: 'on every response', found: 'none' }
        }
      }
      for (const { where, answer } of everything(evidence)) {
        const others = Object.keys(answer.headers).filter(
          (name) => /rate-?limit/i.test(name) && !KNOWN_LIMITS.includes(name),
        )
        for (const name of others)
          yield { section: RATE, where, field: name, documented: 'no such header', found: 'one' }
      }
      for (const { headers } of evidence.limited) {
        if (headers['retry-after'] !== undefined) continue
        yield { section: RATE, where: 'a 429', field: 'Retry-After', documented: 'seconds', found: 'none' }
      }
    },
  },
  {
    name: 'refusals',
    section: 'wire: §2 "statuses"',
    *run({ evidence }) {
      for (const { refusal, where, answer } of evidence.refused) {
        if (refusal.mayPass && answer.status === 200) continue
        yield* refusalDifferences(refusal, where, answer)
      }
    },
  },
  {
    name: 'description of the API',
    section: 'wire: §3',
    *run({ evidence: { described } }) {
      const { status, body } = described.answer
      const base = { section: 'wire: §3', where: described.where }
      if (status !== 200) yield { ...base, field: '', documented: 'status 200', found: `status ${status}` }
      else if (!isObject(body) || typeof body.openapi !== 'string') {
        yield { ...base, field: 'openapi', documented: 'an OpenAPI document', found: shapeOf(body) }
      }
    },
  },
]

const PAGE_SIZE = 50
const KNOWN_LIMITS = ['x-ratelimit-limit', 'x-ratelimit-remaining']

/** The credential does not reach it, so nothing can be said of it. */
const isOutOfReach = (status: number) => status === 403

const timesOf = (items: Record<string, unknown>[]): number[] =>
  items.flatMap(({ created_at: at }) => {
    const time = typeof at === 'string' || typeof at === 'number' ? new Date(at).getTime() : Number.NaN
    return Number.isNaN(time) ? [] : [time]
  })
