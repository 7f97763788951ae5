import type { World } from '../../emulator/world/world.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import type { CreateJudge, ObservedExchange, Report } from './judge.js'
import { Recent } from './recent.js'
import { hasMetFault, mayBeLost, type Repetition, repeat, repetitions } from './response-visibility.js'

type Token = RecordOf<'tokens'>

/** An access token with less left may be refreshed, as it could expire before a request arrives. Milliseconds. */
const ABOUT_TO_EXPIRE = 5_000
/** Refreshes with one token within this real time are a stampede, and not a token that was stored badly. */
const STAMPEDE_MS = 2_000
/** Times that an app sends a rejected refresh token again before that is a finding. */
const REPEATS_AFTER_REJECTION = 4

interface Use {
  at: number
  /** The response may not have arrived, so that the app can only use the token again. */
  isLost: boolean
  /** Start of the first request with the access token of the response, which therefore had arrived. */
  arrivedBy: number
  /** A later use of the same token, which is a fault if the response turns out to have arrived. */
  reuse?: ObservedExchange
}

/** early_refresh, refresh_reuse, concurrent_refresh, dead_refresh. control-api: "Findings" */
export const judgeRefreshes: CreateJudge = (world, report) => {
  const uses = new Recent<string, Use>()
  /** The same uses, keyed by the access token of the response. */
  const usesByAccess = new Recent<unknown, Use>()
  /** Rejected because another request won, whose entry is still to come. */
  const losers = new Recent<string, ObservedExchange>()
  const rejected = new Recent<string, Repetition>()
  /** Times of the last rejected requests, by access token and by its installation. */
  const rejectedAt = new Recent<string, number>()
  /** Refresh tokens of responses that a fault changed, which may have given the access token less time. */
  const faulty = new Recent<unknown, true>()

  const judgeFirstUse = (exchange: ObservedExchange, secret: string, token: Token, isLost: boolean) => {
    const { entry, startedAt, endedAt } = exchange
    const use: Use = { at: endedAt, isLost, arrivedBy: Infinity }
    uses.set(secret, use)
    // A response that was changed may have arrived without its refresh token.
    if (!hasMetFault(entry)) usesByAccess.set(exchange.responseBody()?.access_token, use)
    const loser = losers.get(secret)
    if (loser) reportReuse(report, loser, use)
    losers.delete(secret)
    // No request may be sent with a user's access token (spec: §5.3), so that no 401 can ask for its refresh.
    const isJudged = token.grant === 'install' && !hasMetFault(entry) && !faulty.has(secret)
    const access = isJudged ? unexpiredAccess(world, token, entry.at) : undefined
    if (access === undefined || rejectedAt.has(access.secret)) return
    const left = `another ${Math.round(access.left / 1000)} s and had not been rejected`
    const isLate = startedAt - (rejectedAt.get(token.installation) ?? -Infinity) < STAMPEDE_MS
    const older = isLate ? '; the last 401 was for a token that it had already replaced' : ''
    report('early_refresh', entry, `The app refreshed although the access token was valid for ${left}${older}.`)
  }

  const judgeRejection = (exchange: ObservedExchange, secret: string, token?: Token) => {
    const { entry } = exchange
    const repetition = repeat(exchange, rejected.get(secret))
    rejected.set(secret, repetition)
    const count = repetitions(repetition, REPEATS_AFTER_REJECTION)
    // Tokens of an uninstalled app are the matter of `call_after_uninstall`.
    const isUninstalled = token && world.store.installations.get(token.installation)?.state === 'uninstalled'
    if (count === 0 || isUninstalled) return
    report('dead_refresh', entry, `The refresh token was sent ${count} times after it had been rejected.`)
  }

  /** A request shows that the response with its access token has arrived. If it is rejected, that asks for a refresh. */
  const noteAccess = ({ entry, bearer, startedAt, endedAt }: ObservedExchange) => {
    if (bearer === undefined) return
    const refresh = usesByAccess.get(bearer)
    if (refresh) {
      refresh.arrivedBy = Math.min(refresh.arrivedBy, startedAt)
      refresh.isLost = false
      if (refresh.reuse) reportReuse(report, refresh.reuse, refresh)
      delete refresh.reuse
    }
    if (entry.status !== 401) return
    const { installation = bearer } = world.store.tokens.by('secret', bearer) ?? {}
    for (const key of [bearer, installation]) rejectedAt.set(key, endedAt)
  }

  return {
    judge(exchange) {
      const { entry, form, responseBody } = exchange
      noteAccess(exchange)
      if (form && hasMetFault(entry)) faulty.set(responseBody()?.refresh_token, true)
      const secret = form?.get('grant_type') === 'refresh_token' ? form.get('refresh_token') : null
      if (!secret) return
      const token = world.store.tokens.by('secret', secret)
      const isLost = mayBeLost(entry)
      const isUsed = token?.kind === 'refresh' && token.ended === 'rotated'
      const use = uses.get(secret)
      // A lost response does not show whether this request was the one that refreshed; the token's end does.
      const isFirst = entry.status === 200 || (isLost && (token?.ended_at ?? '') >= entry.at)
      if (isUsed && !use && isFirst) return judgeFirstUse(exchange, secret, token, isLost)
      const isRejected = entry.status !== null && entry.status >= 400 && responseBody()?.error === 'invalid_grant'
      if (isLost || !isRejected) return
      if (isUsed && use) reportReuse(report, exchange, use)
      else if (isUsed) losers.set(secret, exchange)
      judgeRejection(exchange, secret, token)
    },
  }
}

function reportReuse(report: Report, exchange: ObservedExchange, use: Use): void {
  const { entry, startedAt } = exchange
  const { at, isLost, arrivedBy } = use
  if (isLost) {
    use.reuse = exchange
    return
  }
  const since = Math.max(0, Math.round(startedAt - at))
  // Not exact below a second, so that the message does not differ between runs.
  const ago = since < 1_000 ? 'less than a second' : `${since} ms`
  const arrived =
    arrivedBy < startedAt
      ? ', and the access token of that response had been used since: was the new refresh token stored?'
      : '.'
  const observation = `The same refresh token had been used ${ago} earlier${arrived}`
  if (since <= STAMPEDE_MS) report('concurrent_refresh', entry, observation)
  else report('refresh_reuse', entry, `The same refresh token had been used ${Math.round(since / 1000)} s earlier.`)
}

/** Returns the access token that was issued with a refresh token and how many ms it had left, if it still had some. */
function unexpiredAccess({ store }: Pick<World, 'store'>, refresh: Token, at: string) {
  const access = refresh.access === undefined ? undefined : store.tokens.get(refresh.access)
  if (!access || access.ended !== null) return undefined
  const left = Date.parse(access.expires_at) - Date.parse(at)
  return left > ABOUT_TO_EXPIRE ? { secret: access.secret, left } : undefined
}
