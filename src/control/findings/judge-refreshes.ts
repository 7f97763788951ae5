import type { World } from '../../emulator/world/world.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { type Answered, answeredIn, hasHeard, mayBeLost } from './hearing.js'
import type { CreateJudge, Seen } from './judge.js'
import { Recent } from './recent.js'

type Token = RecordOf<'tokens'>

/** An access token with less to live may be refreshed: a request would not get there in time. Milliseconds. */
const ABOUT_TO_EXPIRE = 5_000
/** Refreshes with one token within this real time are a stampede, and not a token that was stored badly. */
const STAMPEDE = 2_000
/** Token requests with a token that was refused already. */
const PATIENCE = 3

interface Use {
  at: number
  /** The response may not have arrived: using the token again is all that the app can do. */
  isLost: boolean
}

/** early_refresh, refresh_reuse, concurrent_refresh, dead_refresh. control-api: "Findings" */
export const judgeRefreshes: CreateJudge = (world, report) => {
  const uses = new Recent<string, Use>()
  /** Refused because another request won, whose entry is still to come. */
  const losers = new Recent<string, Seen>()
  const refused = new Recent<string, { count: number; answered: Answered }>()
  const refusedAccess = new Recent<string, true>()

  const reportReuse = ({ entry, startedAt }: Seen, use: Use) => {
    if (use.isLost) return
    const since = Math.max(0, Math.round(startedAt - use.at))
    // Within a second the figure says nothing of the app, and two runs should read alike.
    const ago = since < 1_000 ? 'less than a second' : `${since} ms`
    if (since <= STAMPEDE) report('concurrent_refresh', entry, `The same refresh token had been used ${ago} earlier.`)
    else report('refresh_reuse', entry, `The same refresh token had been used ${Math.round(since / 1000)} s earlier.`)
  }

  const judgeUse = (seen: Seen, secret: string, token: Token, isLost: boolean) => {
    const { entry, endedAt } = seen
    const use = { at: endedAt, isLost }
    uses.set(secret, use)
    const loser = losers.get(secret)
    if (loser) reportReuse(loser, use)
    losers.delete(secret)
    const early = entry.notes.fault === undefined ? lifeLeft(world, token, entry.at) : undefined
    if (early !== undefined && !refusedAccess.has(early.secret)) {
      const seconds = Math.round(early.left / 1000)
      report(
        'early_refresh',
        entry,
        `The app refreshed although the access token was valid for another ${seconds} s and had not been rejected.`,
      )
    }
  }

  return {
    judge(seen) {
      const { entry, bearer, form, answer } = seen
      if (bearer !== undefined && entry.status === 401) refusedAccess.set(bearer, true)
      const secret = form?.get('grant_type') === 'refresh_token' ? form.get('refresh_token') : null
      const token = secret ? world.store.tokens.by('secret', secret) : undefined
      if (!secret || token?.kind !== 'refresh') return
      const isLost = mayBeLost(world, entry)
      const isUsed = token.ended === 'rotated'
      const use = uses.get(secret)
      // A response that was lost does not say whether the refresh was done: when it was, it was then.
      const isFirst = entry.status === 200 || (isLost && (token.ended_at ?? '') >= entry.at)
      if (isUsed && !use && isFirst) {
        judgeUse(seen, secret, token, isLost)
        return
      }
      if (isLost || entry.status === null || entry.status < 400 || answer()?.error !== 'invalid_grant') return
      if (isUsed && use) reportReuse(seen, use)
      else if (isUsed) losers.set(secret, seen)
      const before = refused.get(secret)
      // What was on its way before the refusal arrived is no answer to it.
      const count = before === undefined ? 0 : before.count + (hasHeard(seen, before.answered) ? 1 : 0)
      refused.set(secret, { count, answered: answeredIn(seen, before?.answered) })
      if (before && count > before.count && count > PATIENCE && !isOver(world, token)) {
        report('dead_refresh', entry, `The refresh token was sent ${count} times after it had been rejected.`)
      }
    },
  }
}

/** The access token that came with a refresh token, when it had some time left at that moment. */
function lifeLeft(world: World, refresh: Token, at: string): { secret: string; left: number } | undefined {
  const access = refresh.access === undefined ? undefined : world.store.tokens.get(refresh.access)
  if (!access || access.ended !== null) return undefined
  const left = Date.parse(access.expires_at) - Date.parse(at)
  return left > ABOUT_TO_EXPIRE ? { secret: access.secret, left } : undefined
}

/** Uninstalled: what is done with its tokens is another rule's. */
const isOver = (world: World, { installation }: Token) =>
  world.store.installations.get(installation)?.state === 'uninstalled'
