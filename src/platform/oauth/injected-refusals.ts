import type { InjectedRefusal } from '../../emulator/serving/injected-refusal.js'
import type { RequestContext } from '../../emulator/serving/surface.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { clientRefusal, OAuthRefusal } from './oauth-error.js'

/** The refusals of the OAuth endpoints by the names of faults: the token endpoint checks grants, not bearer tokens. */
const named: Record<InjectedRefusal, (ofCode: boolean) => Refusal> = {
  rate_limited: () => new Refusal('rate_limited', { headers: { 'retry-after': '60' } }),
  token_expired: (ofCode) =>
    new OAuthRefusal('invalid_grant', `The ${ofCode ? 'authorization code' : 'refresh token'} has expired`),
  token_revoked: (ofCode) =>
    new OAuthRefusal('invalid_grant', ofCode ? 'The authorization code is not valid' : 'The refresh token was revoked'),
  insufficient_scope: () => new OAuthRefusal('invalid_scope', 'The requested scope was not granted'),
  unavailable: () => new Refusal('unavailable'),
}

/** The `refusalFor` of the OAuth endpoints. control-api: "Faults", wire: §6 */
export function oauthRefusalFor(name: InjectedRefusal | number, { request }: RequestContext): Refusal | undefined {
  const grant_type = new URLSearchParams(request.body.toString()).get('grant_type')
  if (typeof name === 'string') return named[name](grant_type === 'authorization_code')
  if (name === 401 && request.path === '/oauth/token') return clientRefusal()
  return name === 429 ? named.rate_limited(false) : undefined
}
