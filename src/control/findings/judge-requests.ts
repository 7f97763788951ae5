import { hash } from 'node:crypto'
import { isMoreField } from '../../emulator/liberties/json-liberties.js'
import type { JournalEntry } from '../../emulator/world/exchange.js'
import { retryAfter } from '../../foundation/http/retry-after.js'
import type { CreateJudge, ObservedExchange } from './judge.js'
import { Recent } from './recent.js'
import { mayBeLost, type Repetition, repeat, repetitions } from './response-visibility.js'

const REPEATS_AFTER_401 = 2
/** Workers that may each send one request more with a token that one of them has replaced. */
const REPEATS_AFTER_401_OF_POOL = 10
/** Repetitions of a request after a 403, and the real milliseconds between them: a person who reloads is slower. */
const REPEATS_AFTER_403 = 3
const MAX_403_GAP_MS = 1_000
/** Requests before the time in Retry-After is over. */
const EARLY_REQUESTS = 3

interface RateLimit {
  /** Times on the emulator's clock and in real time: a request is too early only if it is so by both. */
  until: number
  realUntil: number
  /** The one whose clock `until` is by. The credential of a sandbox that has ended has none any more. */
  organization: string | undefined
  repetition: Repetition
}

/** retry_without_refresh, hopeless_retry, ignored_rate_limit, unknown_fields. control-api: "Findings" */
export const judgeRequests: CreateJudge = (world, report) => {
  const rejections = new Recent<string, { status: number; repetition: Repetition }>()
  const limits = new Recent<string, RateLimit>()
  /** Time of the last failed refresh of an installation, in real ms: until one succeeds it has only its old tokens. */
  const failedRefreshes = new Recent<string, number>()
  /** Time of its last refresh: workers that have not met a 401 yet still use the token before. */
  const refreshes = new Recent<string, number>()

  const judgeRepetition = (exchange: ObservedExchange, bearer: string) => {
    const { entry } = exchange
    const { method, path, search, status } = entry
    const call = `${method} ${path}`
    // Bodies themselves would keep hundreds of megabytes alive.
    const key = hash('sha256', `${bearer} ${call}?${search} ${entry.request.body ?? ''}`, 'base64url')
    const before = rejections.get(key)
    const repetition = repeat(exchange, before?.repetition, before?.status === 403 ? MAX_403_GAP_MS : undefined)
    const isAgain = before?.status === 401 && repetitions(repetition, REPEATS_AFTER_401) > 0
    if (isAgain && couldRefresh(exchange, bearer, repetition)) {
      report('retry_without_refresh', entry, `${call} was sent again with the access token that had been rejected.`)
    }
    const hopeless = before?.status === 403 ? repetitions(repetition, REPEATS_AFTER_403) : 0
    if (hopeless > 0) report('hopeless_retry', entry, `${call} was sent ${hopeless} more times after a 403.`)
    if (status === 401 || status === 403) {
      rejections.set(key, { status, repetition: before?.status === status ? repetition : repeat(exchange, undefined) })
    } else if (status !== null) rejections.delete(key)
  }

  /** An API key cannot be refreshed, an unknown credential may be a former one, and a refresh may take its time. */
  const couldRefresh = ({ isRefreshing }: ObservedExchange, bearer: string, repetition: Repetition): boolean => {
    const token = world.store.tokens.by('secret', bearer)
    if (token?.kind !== 'access' || isRefreshing(token.installation)) return false
    const isSince = (times: Recent<string, number>) => (times.get(token.installation) ?? -1) >= repetition.since
    return (
      !isSince(failedRefreshes) &&
      (!isSince(refreshes) || repetitions(repetition, REPEATS_AFTER_401_OF_POOL) > REPEATS_AFTER_401_OF_POOL)
    )
  }

  const judgePace = (exchange: ObservedExchange, bearer: string) => {
    const { entry, startedAt, endedAt } = exchange
    const at = Date.parse(entry.at)
    const limit = limits.get(bearer)
    const { organization } = entry.identity
    const isEarly = limit && at < limit.until && startedAt < limit.realUntil
    const current = isEarly && limit.organization === organization ? limit : undefined
    const repetition = repeat(exchange, current?.repetition)
    if (current) current.repetition = repetition
    const count = repetitions(repetition, EARLY_REQUESTS)
    if (count > 0) {
      report('ignored_rate_limit', entry, `${count} requests were sent before the time in Retry-After had passed.`)
    }
    const wait = entry.status === 429 ? (retryAfter(String(entry.response.headers['retry-after']), at) ?? 0) : 0
    if (wait > 0) limits.set(bearer, { until: at + wait, realUntil: endedAt + wait, organization, repetition })
  }

  return {
    judge(exchange) {
      const { entry, endedAt, bearer, form } = exchange
      const refresh = form && world.store.tokens.by('secret', form.get('refresh_token') ?? '')
      if (refresh) {
        const isDone = entry.status === 200 && !mayBeLost(entry)
        const times = isDone ? refreshes : failedRefreshes
        times.set(refresh.installation, endedAt)
      }
      if (bearer === undefined) return
      const ignored = [
        ['fields', unknownFields(entry)],
        ['query parameters', ignoredPaths(entry, 'ignored_parameter')],
      ] as const
      for (const [what, names] of ignored) {
        if (names.length === 0) continue
        const observation = `${entry.method} ${entry.path} contained ${what} that the API ignores: ${names.join(', ')}.`
        report('unknown_fields', entry, observation)
      }
      // Nearly every request is successful and follows no failed one.
      if (entry.status === 200 && rejections.size === 0 && limits.size === 0) return
      judgeRepetition(exchange, bearer)
      judgePace(exchange, bearer)
    },
  }
}

/** Fields of an element that an update ignores, since a client may send back what it has read. wire: §2 */
const SENT_BACK = ['id', 'object', 'type', 'module', 'course', 'cover', 'created_at', 'updated_at']

function unknownFields(entry: JournalEntry): string[] {
  const ignored = ignoredPaths(entry, 'ignored_field')
  if (entry.method !== 'PUT' && entry.method !== 'PATCH') return ignored
  const hasMore = entry.notes.liberties?.includes('more-fields')
  return ignored.filter((field) => !SENT_BACK.includes(field) && !(hasMore && isMoreField(field)))
}

const ignoredPaths = ({ notes: { warnings = [] } }: JournalEntry, code: string): string[] =>
  warnings.filter((warning) => warning.code === code).map(({ path }) => path)
