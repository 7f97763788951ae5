import type { JournalEntry } from '../../emulator/world/exchange.js'
import { units } from '../../foundation/schema/duration.js'
import { jwtPart } from '../../platform/authentication/known-credential.js'
import type { CreateJudge } from './judge.js'
import { Recent } from './recent.js'
import { hasMetFault } from './response-visibility.js'

const JWKS = '/.well-known/jwks.json'
/** May be cached for an hour of the emulator's clock. spec: §8 */
const CACHEABLE = ['/.well-known/openid-configuration', JWKS]
/** Requests for one document within an hour that are a finding. */
const FETCHES_PER_HOUR = 3
/** Real milliseconds that a verifier has to fetch a new key. */
const REFETCH_MS = 10_000

/** uncached_keys, stale_keys. control-api: "Findings" */
export const judgeKeys: CreateJudge = (world, report, realNow) => {
  const fetched = new Recent<string, { times: number[]; keys: string }>()
  const served = new Set<string>()
  /** id_tokens signed with a key that has not been fetched yet. */
  let pending: { entry: JournalEntry; kid: string; since: number }[] = []

  const reportStaleKeys = (now: number) => {
    const stale = pending.filter(({ since }) => now - since > REFETCH_MS)
    if (stale.length === 0) return
    pending = pending.filter((each) => !stale.includes(each))
    for (const { entry, kid } of stale) {
      const observation = `The id_token was signed with the new key ${kid}, and the JWKS was not fetched again.`
      report('stale_keys', entry, observation)
    }
  }

  const judgeFetch = (entry: JournalEntry) => {
    const key = `${entry.run} ${entry.client} ${entry.path}`
    const at = Date.parse(entry.at)
    const keys = [...world.store.keys.all].map(({ id }) => id).join(' ')
    const before = fetched.get(key)
    const times = [...(before?.keys === keys ? before.times.filter((time) => at - time < units.h) : []), at]
    fetched.set(key, { times, keys })
    if (times.length < FETCHES_PER_HOUR) return
    report('uncached_keys', entry, `${entry.path} was fetched ${times.length} times within an hour.`)
  }

  return {
    judge({ entry, endedAt, responseBody }) {
      reportStaleKeys(endedAt)
      const { path, status } = entry
      if (path === JWKS) pending = []
      if (CACHEABLE.includes(path) && status === 200 && !hasMetFault(entry)) {
        judgeFetch(entry)
        for (const { kid } of (responseBody()?.keys ?? []) as { kid: string }[]) served.add(kid)
      }
      if (path !== '/oauth/token') return
      if (hasMetFault(entry)) {
        // A careful verifier fetches the keys again after an id_token that it cannot verify.
        fetched.clear()
        return
      }
      const token = responseBody()?.id_token
      const kid = typeof token === 'string' ? kidOf(token) : undefined
      if (kid !== undefined && served.size > 0 && !served.has(kid)) pending.push({ entry, kid, since: endedAt })
    },

    conclude: () => reportStaleKeys(realNow()),
  }
}

/** Returns the id of the key that a JWT names; undefined for what is none. */
export const kidOf = (token: string) => jwtPart(token, 0).kid as string | undefined
