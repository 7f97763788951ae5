import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { CreateJudge } from './judge.js'
import { Recent } from './recent.js'

const JWKS = '/.well-known/jwks.json'
const CACHED = ['/.well-known/openid-configuration', JWKS]
/** How long each may be cached. Milliseconds on the emulator's clock. spec: §8 */
const HOUR = 3_600_000
/** Requests for one document within its hour. */
const UNCACHED = 3
/** Real milliseconds that a verifier has to fetch a new key. */
const FETCH = 10_000

/** uncached_keys, stale_keys. control-api: "Findings" */
export const judgeKeys: CreateJudge = (world, report, realNow) => {
  const fetched = new Recent<string, { times: number[]; keys: string }>()
  const served = new Set<string>()
  let pending: { entry: JournalEntry; kid: string; since: number }[] = []

  const overdue = (now: number) => {
    if (pending.length === 0) return
    const late = pending.filter(({ since }) => now - since > FETCH)
    pending = pending.filter((each) => !late.includes(each))
    for (const { entry, kid } of late) {
      report(
        'stale_keys',
        entry,
        `The id_token was signed with the new key ${kid}, and the JWKS was not fetched again.`,
      )
    }
  }

  return {
    judge({ entry, endedAt, answer }) {
      overdue(endedAt)
      if (entry.path === JWKS) pending = []
      if (CACHED.includes(entry.path) && entry.status === 200 && entry.notes.fault === undefined) {
        const key = `${entry.client} ${entry.path}`
        const at = Date.parse(entry.at)
        const keys = [...world.store.keys.all].map(({ id }) => id).join(' ')
        const before = fetched.get(key)
        const within = before && before.keys === keys ? before.times.filter((time) => at - time < HOUR) : []
        const times = [...within, at]
        fetched.set(key, { times, keys })
        if (times.length >= UNCACHED) {
          report('uncached_keys', entry, `${entry.path} was fetched ${times.length} times within an hour.`)
        }
        for (const { kid } of (answer()?.keys ?? []) as { kid: string }[]) served.add(kid)
      }
      if (entry.path !== '/oauth/token') return
      if (entry.notes.fault !== undefined) {
        // An id_token that does not verify sends a careful verifier back to the keys.
        fetched.clear()
        return
      }
      const token = answer()?.id_token
      const kid = typeof token === 'string' ? kidOf(token) : undefined
      if (kid !== undefined && served.size > 0 && !served.has(kid)) pending.push({ entry, kid, since: endedAt })
    },

    conclude: () => overdue(realNow()),
  }
}

function kidOf(token: string): string | undefined {
  try {
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid?: string }
    return header.kid
  } catch {
    return undefined
  }
}
