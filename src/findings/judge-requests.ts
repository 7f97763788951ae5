import type { JournalEntry } from '../world/exchange.js'
import type { CreateJudge } from './judge.js'
import { Recent } from './recent.js'

/** Repetitions of a request that was answered 403. */
const HOPELESS = 3
/** Requests before Retry-After was over. */
const IMPATIENT = 3

interface Refused {
  status: number
  at: number
  repeated: number
}

interface Limited {
  /** On the emulator's clock and in real time: a request is too early when it is so by both. */
  until: number
  realUntil: number
  count: number
}

/** retry_without_refresh, hopeless_retry, ignored_rate_limit, unknown_fields. control-api: "Findings" */
export const judgeRequests: CreateJudge = (_world, report) => {
  const refused = new Recent<string, Refused>()
  const limited = new Recent<string, Limited>()

  return {
    judge({ entry, startedAt, endedAt, bearer }) {
      if (entry.surface !== 'api' || bearer === undefined) return
      const { method, path, search, status, at } = entry
      const key = `${bearer} ${method} ${path}?${search} ${bodyOf(entry)}`
      const before = refused.get(key)
      // A request that was on its way before the refusal arrived is no answer to it.
      const isRepeated = before !== undefined && startedAt >= before.at
      const repeated = isRepeated ? before.repeated + 1 : 0
      if (isRepeated && before.status === 401) {
        report('retry_without_refresh', entry, `${method} ${path} was sent again with the token that had been refused.`)
      }
      if (isRepeated && before.status === 403 && repeated >= HOPELESS) {
        report('hopeless_retry', entry, `${method} ${path} was sent ${repeated} times after it was answered 403.`)
      }
      if (status === 401 || status === 403) refused.set(key, { status, at: endedAt, repeated })
      else if (status !== null) refused.delete(key)

      const limit = limited.get(bearer)
      if (limit && Date.parse(at) < limit.until && startedAt < limit.realUntil) {
        limit.count++
        if (limit.count >= IMPATIENT) {
          report('ignored_rate_limit', entry, `${limit.count} requests were sent before Retry-After was over.`)
        }
      }
      const seconds = status === 429 ? Number(entry.response.headers['retry-after']) : Number.NaN
      if (seconds > 0) {
        const count = limit && startedAt < limit.realUntil ? limit.count : 0
        const wait = seconds * 1000
        limited.set(bearer, { until: Date.parse(at) + wait, realUntil: endedAt + wait, count })
      }

      const unknown = entry.notes.warnings?.filter(({ code }) => code === 'ignored_field').map((it) => it.path) ?? []
      if (unknown.length > 0) {
        report('unknown_fields', entry, `${method} ${path} had fields that are not read there: ${unknown.join(', ')}.`)
      }
    },
  }
}

const bodyOf = ({ request: { body } }: JournalEntry): string => (body === undefined ? '' : body.toString())
