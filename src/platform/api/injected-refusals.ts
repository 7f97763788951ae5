import type { InjectedRefusal } from '../../emulator/serving/injected-refusal.js'
import type { RequestContext } from '../../emulator/serving/surface.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { bearerChallenge, insufficientScopeChallenge, invalidTokenChallenge } from '../authentication/authenticate.js'
import { rateLimitHeaders } from './rate-limit.js'

/** Requests a minute that a refusal speaks of where the setting says none. */
const ASSUMED_LIMIT = 60

/** The refusals of `/v0` by the names of faults. control-api: "Faults", wire: §2 */
const named: Record<InjectedRefusal, (context: RequestContext) => Refusal> = {
  rate_limited: ({ world }) =>
    new Refusal('rate_limited', {
      headers: { 'retry-after': '60', ...rateLimitHeaders(world.settings.rate_limit ?? ASSUMED_LIMIT, 0) },
    }),
  token_expired: () => new Refusal('unauthorized', { headers: invalidTokenChallenge('expired') }),
  token_revoked: () => new Refusal('unauthorized', { headers: invalidTokenChallenge('revoked') }),
  insufficient_scope: ({ route }) =>
    new Refusal('insufficient_scope', { headers: insufficientScopeChallenge(route?.operation.scope) }),
  unavailable: () => new Refusal('unavailable'),
}

/** The statuses of which `/v0` says more than their name. wire: §2 "bearer errors" */
const byStatus: Record<number, (context: RequestContext) => Refusal> = {
  401: ({ request }) =>
    new Refusal('unauthorized', {
      headers: request.headers.authorization ? invalidTokenChallenge('unknown') : bearerChallenge(),
    }),
  403: named.insufficient_scope,
  429: named.rate_limited,
}

/** The `refusalFor` of `/v0`. */
export const apiRefusalFor = (name: InjectedRefusal | number, context: RequestContext): Refusal | undefined =>
  (typeof name === 'number' ? byStatus[name] : named[name])?.(context)
