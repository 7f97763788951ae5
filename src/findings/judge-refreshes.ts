import type { RecordOf } from '../store/kind.js'
import type { World } from '../world/world.js'
import type { CreateJudge } from './judge.js'
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
  /** An injected fault took the response: using the token again is what the app has to do. */
  faulty: boolean
}

/** early_refresh, refresh_reuse, concurrent_refresh, dead_refresh. control-api: "Findings" */
export const judgeRefreshes: CreateJudge = (world, report) => {
  const uses = new Recent<string, Use>()
  const refused = new Recent<string, number>()
  const refusedAccess = new Recent<string, true>()

  return {
    judge({ entry, startedAt, bearer, form }) {
      if (bearer !== undefined && entry.status === 401) refusedAccess.set(bearer, true)
      const secret = form?.get('grant_type') === 'refresh_token' ? form.get('refresh_token') : null
      const token = secret ? world.store.tokens.by('secret', secret) : undefined
      if (!secret || token?.kind !== 'refresh') return
      const faulty = entry.notes.fault !== undefined

      const use = uses.get(secret)
      if (!use && token.ended === 'rotated') {
        uses.set(secret, { at: startedAt + entry.duration, faulty })
        const early = faulty ? undefined : lifeLeft(world, token, entry.at)
        if (early !== undefined && !refusedAccess.has(early.secret)) {
          const seconds = Math.round(early.left / 1000)
          report('early_refresh', entry, `The access token still had ${seconds} s to live and had not been refused.`)
        }
        return
      }
      if (entry.status === null || entry.status < 400 || (faulty && entry.status !== 400)) return
      if (use && !use.faulty && token.ended === 'rotated') {
        const since = Math.max(0, Math.round(startedAt - use.at))
        if (since <= STAMPEDE) {
          report('concurrent_refresh', entry, `The refresh token had been used ${since} ms before.`)
        } else report('refresh_reuse', entry, `The refresh token had been used ${Math.round(since / 1000)} s before.`)
      }
      const before = refused.get(secret) ?? 0
      refused.set(secret, before + 1)
      if (before > PATIENCE && !isOver(world, token)) {
        report('dead_refresh', entry, `The refresh token was sent ${before} times after it had been refused.`)
      }
    },
  }
}

/** The access token that came with a refresh token, when it had some time left at that moment. */
function lifeLeft(world: World, refresh: Token, at: string): { secret: string; left: number } | undefined {
  const access = [...world.store.tokens.in('installation', refresh.installation)].find(
    ({ kind, created_at, sequence }) =>
      kind === 'access' && created_at === refresh.created_at && sequence === refresh.sequence - 1,
  )
  if (!access || access.ended !== null) return undefined
  const left = Date.parse(access.expires_at) - Date.parse(at)
  return left > ABOUT_TO_EXPIRE ? { secret: access.secret, left } : undefined
}

/** Uninstalled: what is done with its tokens is another rule's. */
const isOver = (world: World, { installation }: Token) =>
  world.store.installations.get(installation)?.state === 'uninstalled'
