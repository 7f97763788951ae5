import type { JournalEntry } from '../../emulator/world/exchange.js'
import { type Answered, answeredIn, hasHeard } from './hearing.js'
import type { CreateJudge } from './judge.js'
import { Recent } from './recent.js'

/** Repetitions of a request that was answered 403. */
const HOPELESS = 3
/** Requests before Retry-After was over. */
const IMPATIENT = 3

interface Refused {
  status: number
  answered: Answered
  repeated: number
}

interface Limited {
  /** On the emulator's clock and in real time: a request is too early when it is so by both. */
  until: number
  realUntil: number
  answered: Answered
  count: number
}

/** retry_without_refresh, hopeless_retry, ignored_rate_limit, unknown_fields. control-api: "Findings" */
export const judgeRequests: CreateJudge = (world, report) => {
  const refused = new Recent<string, Refused>()
  const limited = new Recent<string, Limited>()
  /** Real time at which an installation asked for new tokens in vain: until it has them it has none but the old ones. */
  const inVain = new Recent<string, number>()

  const judgeUnknownFields = (entry: JournalEntry) => {
    const unknown = unknownFields(entry)
    if (unknown.length === 0) return
    const fields = unknown.join(', ')
    report('unknown_fields', entry, `${entry.method} ${entry.path} contained fields that the API ignores: ${fields}.`)
  }

  return {
    judge(seen) {
      const { entry, startedAt, endedAt, bearer, form } = seen
      const offered = form && world.store.tokens.by('secret', form.get('refresh_token') ?? '')
      if (offered && (entry.status !== 200 || entry.notes.fault !== undefined))
        inVain.set(offered.installation, endedAt)
      if (entry.surface !== 'api' || bearer === undefined) return
      judgeUnknownFields(entry)
      // Nearly every request is neither a refusal nor comes after one.
      if (entry.status === 200 && refused.size === 0 && limited.size === 0) return
      const { method, path, search, status, at } = entry
      const key = `${bearer} ${method} ${path}?${search} ${bodyOf(entry)}`
      const before = refused.get(key)
      // A request that was on its way before the refusal arrived is no answer to it.
      const isRepeated = before !== undefined && hasHeard(seen, before.answered)
      const repeated = (before?.repeated ?? 0) + (isRepeated ? 1 : 0)
      // An API key cannot be refreshed, and a credential that was never issued may be a former one.
      const token = world.store.tokens.by('secret', bearer)
      const hadNoOther = token !== undefined && (inVain.get(token.installation) ?? -1) >= (before?.answered.at ?? 0)
      if (isRepeated && before.status === 401 && token?.kind === 'access' && !hadNoOther) {
        report(
          'retry_without_refresh',
          entry,
          `${method} ${path} was sent again with the access token that had been rejected.`,
        )
      }
      if (isRepeated && before.status === 403 && repeated >= HOPELESS) {
        report('hopeless_retry', entry, `${method} ${path} was sent ${repeated} more times after a 403.`)
      }
      if (status === 401 || status === 403) {
        const same = before?.status === status ? before.answered : undefined
        refused.set(key, { status, answered: answeredIn(seen, same), repeated: same ? repeated : 0 })
      }
      if (status !== null && status !== 401 && status !== 403) refused.delete(key)

      const limit = limited.get(bearer)
      const isTooEarly = limit && Date.parse(at) < limit.until && startedAt < limit.realUntil
      if (limit && isTooEarly && hasHeard(seen, limit.answered)) {
        limit.count++
        if (limit.count >= IMPATIENT) {
          report(
            'ignored_rate_limit',
            entry,
            `${limit.count} requests were sent before the time in Retry-After had passed.`,
          )
        }
      }
      const seconds = status === 429 ? Number(entry.response.headers['retry-after']) : Number.NaN
      if (seconds > 0) {
        const count = isTooEarly ? limit.count : 0
        const wait = seconds * 1000
        const answered = answeredIn(seen, isTooEarly ? limit.answered : undefined)
        limited.set(bearer, { until: Date.parse(at) + wait, realUntil: endedAt + wait, answered, count })
      }
    },
  }
}

/** Fields of an element that an update ignores: a client may send back what it has read. wire: §2 */
const SENT_BACK = ['id', 'object', 'type', 'module', 'course', 'cover', 'created_at', 'updated_at']

function unknownFields({ method, notes: { warnings = [] } }: JournalEntry): string[] {
  const ignored = warnings.filter(({ code }) => code === 'ignored_field').map(({ path }) => path)
  const isUpdate = method === 'PUT' || method === 'PATCH'
  return isUpdate ? ignored.filter((field) => !SENT_BACK.includes(field)) : ignored
}

const bodyOf = ({ request: { body } }: JournalEntry): string => (body === undefined ? '' : body.toString())
