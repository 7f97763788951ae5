import { refusedFor, type Scope } from '../apps/permissions.js'
import { tokenState } from '../oauth/tokens.js'
import { Refusal } from '../refusal.js'
import type { Identity, Request } from '../request.js'
import type { TokenRecord } from '../store/records.js'
import type { World } from '../world.js'
import { bearerOf } from './bearer.js'

/** Who makes a `/v0` request. What it sees is limited to `organization`. spec: §5.1, §5.2 */
export type Caller =
  | { kind: 'api_key'; organization: string }
  | { kind: 'token'; organization: string; token: TokenRecord }

/**
 * The caller that the request's credential names.
 * @param scope what an install token needs; null when no install token suffices. An API key may do everything. wire: §3
 * @throws Refusal 401 without a credential that works, 403 when its scope does not reach. wire: §2 "bearer errors"
 */
export function authenticate(world: World, request: Request, scope: Scope | null): Caller {
  const secret = bearerOf(request.headers)
  if (secret === undefined) {
    const reason = request.headers.authorization
      ? 'The Authorization header is not "Bearer <credential>"'
      : 'No Authorization header was sent'
    throw new Refusal('unauthorized', { headers: { 'www-authenticate': 'Bearer' }, reason })
  }
  const organization = world.store.organizations.by('api_key', secret)
  if (organization) return { kind: 'api_key', organization: organization.id }

  const token = world.store.tokens.by('secret', secret)
  if (token?.kind !== 'access') {
    throw invalidToken(
      'unknown',
      token
        ? 'A refresh token was sent where an access token is needed'
        : 'The credential was never issued here, or its API key was regenerated',
    )
  }
  const state = tokenState(token, world.clock.now())
  if (state === 'expired') throw invalidToken('expired', `The access token expired at ${token.expires_at}`)
  if (state !== 'active')
    throw invalidToken('revoked', `The access token was revoked at ${token.ended_at}: ${token.ended_by}`)

  const refusal = refusedFor(token, scope)
  if (refusal) {
    throw new Refusal('insufficient_scope', { headers: scopeChallenge(scope), reason: refusal })
  }
  return { kind: 'token', organization: token.organization, token }
}

/** What a 403 says of the scope that is needed; null when no scope suffices. wire: §2 "bearer errors", RFC 6750 §3.1 */
export const scopeChallenge = (scope: string | null): Record<string, string> => ({
  'www-authenticate': `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`,
})

function invalidToken(state: 'expired' | 'revoked' | 'unknown', reason: string): Refusal {
  const challenge = `Bearer error="invalid_token", error_description="The access token is ${state}"`
  return new Refusal('unauthorized', { headers: { 'www-authenticate': challenge }, reason })
}

/** Whose credential the request carries, whether or not it still works: for the journal and for faults. */
export function identifyBearer(world: World, request: Request): Identity {
  const secret = bearerOf(request.headers)
  if (secret === undefined) return {}
  const organization = world.store.organizations.by('api_key', secret)
  if (organization) return { organization: organization.id }
  const token = world.store.tokens.by('secret', secret)
  if (!token) return {}
  return { app: token.app, organization: token.organization, ...(token.user && { user: token.user }) }
}
