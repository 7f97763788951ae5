import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { CreateJudge, ObservedExchange } from './judge.js'
import { Recent } from './recent.js'
import { couldHaveSeen, type GivenResponse, givenResponse } from './response-visibility.js'

/** Repetitions of a request after a 403. */
const HOPELESS = 3
/** Requests before the time in Retry-After is over. */
const IMPATIENT = 3

interface Rejection {
  status: number
  response: GivenResponse
  repeated: number
}

interface RateLimit {
  /** On the emulator's clock and in real time: a request is too early when it is so by both. */
  until: number
  realUntil: number
  response: GivenResponse
  count: number
}

/** retry_without_refresh, hopeless_retry, ignored_rate_limit, unknown_fields. control-api: "Findings" */
export const judgeRequests: CreateJudge = (world, report) => {
  const rejections = new Recent<string, Rejection>()
  const limits = new Recent<string, RateLimit>()
  /** When an installation last failed to refresh, in real ms: until it succeeds it has only its old tokens. */
  const failedRefreshes = new Recent<string, number>()

  const judgeRepetition = (exchange: ObservedExchange, bearer: string) => {
    const { entry } = exchange
    const { method, path, search, status } = entry
    const call = `${method} ${path}`
    const key = `${bearer} ${call}?${search} ${entry.request.body ?? ''}`
    const before = rejections.get(key)
    const isRepeated = before !== undefined && couldHaveSeen(exchange, before.response)
    const repeated = (before?.repeated ?? 0) + (isRepeated ? 1 : 0)
    // An API key cannot be refreshed, and an unknown credential may be a former one.
    const token = world.store.tokens.by('secret', bearer)
    const hadNoOther = token && before && (failedRefreshes.get(token.installation) ?? -1) >= before.response.at
    if (isRepeated && before.status === 401 && token?.kind === 'access' && !hadNoOther) {
      report('retry_without_refresh', entry, `${call} was sent again with the access token that had been rejected.`)
    }
    if (isRepeated && before.status === 403 && repeated >= HOPELESS) {
      report('hopeless_retry', entry, `${call} was sent ${repeated} more times after a 403.`)
    }
    if (status === 401 || status === 403) {
      const same = before?.status === status ? before.response : undefined
      rejections.set(key, { status, response: givenResponse(exchange, same), repeated: same ? repeated : 0 })
    } else if (status !== null) rejections.delete(key)
  }

  const judgePace = (exchange: ObservedExchange, bearer: string) => {
    const { entry, startedAt, endedAt } = exchange
    const at = Date.parse(entry.at)
    const limit = limits.get(bearer)
    const current = limit && at < limit.until && startedAt < limit.realUntil ? limit : undefined
    if (current && couldHaveSeen(exchange, current.response) && ++current.count >= IMPATIENT) {
      const observation = `${current.count} requests were sent before the time in Retry-After had passed.`
      report('ignored_rate_limit', entry, observation)
    }
    const wait = entry.status === 429 ? Number(entry.response.headers['retry-after']) * 1000 : 0
    if (!(wait > 0)) return
    const response = givenResponse(exchange, current?.response)
    limits.set(bearer, { until: at + wait, realUntil: endedAt + wait, response, count: current?.count ?? 0 })
  }

  return {
    judge(exchange) {
      const { entry, endedAt, bearer, form } = exchange
      const refresh = form && world.store.tokens.by('secret', form.get('refresh_token') ?? '')
      if (refresh && (entry.status !== 200 || entry.notes.fault !== undefined)) {
        failedRefreshes.set(refresh.installation, endedAt)
      }
      if (entry.surface !== 'api' || bearer === undefined) return
      const unknown = unknownFields(entry).join(', ')
      if (unknown !== '') {
        const observation = `${entry.method} ${entry.path} contained fields that the API ignores: ${unknown}.`
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

function unknownFields({ method, notes: { warnings = [] } }: JournalEntry): string[] {
  const ignored = warnings.filter(({ code }) => code === 'ignored_field').map(({ path }) => path)
  const isUpdate = method === 'PUT' || method === 'PATCH'
  return isUpdate ? ignored.filter((field) => !SENT_BACK.includes(field)) : ignored
}
