import type { Identity } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { bearerOf } from './bearer.js'
import {
  bearerChallenge,
  type CredentialState,
  insufficientScopeChallenge,
  invalidTokenChallenge,
} from './challenges.js'
import { knownCredential } from './known-credential.js'
import { refusedFor, type Scope } from './scopes.js'
import type { TokenRecord } from './token-record.js'
import { tokenState } from './tokens.js'

/** The caller of a `/v0` request, limited to its `organization`. spec: §5.1, §5.2 */
export type Caller =
  | { kind: 'api_key'; organization: string }
  | { kind: 'token'; organization: string; token: TokenRecord }

/**
 * The caller that the request's credential names.
 * @param scope what an install token needs; null when no install token suffices. An API key may do everything. wire: §3
 * @throws Refusal 401 without a credential that works, 403 when its scope does not reach. wire: §2 "bearer errors"
 */
export function authenticate(
  world: Pick<World, 'addresses' | 'clock' | 'store'>,
  request: Request,
  scope: Scope | null,
): Caller {
  const secret = bearerOf(request.headers)
  if (secret === undefined) {
    const reason = request.headers.authorization
      ? 'The Authorization header is not "Bearer <credential>"'
      : 'No Authorization header was sent'
    throw new Refusal('unauthorized', { headers: bearerChallenge(), reason })
  }
  const organization = world.store.organizations.by('api_key', secret)
  if (organization) return { kind: 'api_key', organization: organization.id }

  const token = world.store.tokens.by('secret', secret)
  if (token?.kind !== 'access') {
    const known = knownCredential(world, secret)
    throw invalidToken(
      'unknown',
      known
        ? `${known.name} was sent where an access token is needed`
        : 'The credential was never issued here, or its API key was regenerated',
    )
  }
  const state = tokenState(token, world.clock.now())
  if (state === 'expired') throw invalidToken('expired', `The access token expired at ${token.expires_at}`)
  if (state !== 'active')
    throw invalidToken('revoked', `The access token was revoked at ${token.ended_at}: ${token.ended_by}`)

  const refusal = refusedFor(token, scope)
  if (refusal) {
    throw new Refusal('insufficient_scope', { headers: insufficientScopeChallenge(scope), reason: refusal })
  }
  return { kind: 'token', organization: token.organization, token }
}

const invalidToken = (state: CredentialState, reason: string) =>
  new Refusal('unauthorized', { headers: invalidTokenChallenge(state), reason })

/** Identifies the owner of the request's credential, valid or not: for the journal and for faults. */
export function identifyBearer(world: Pick<World, 'addresses' | 'store'>, request: Request): Identity {
  const secret = bearerOf(request.headers)
  if (secret === undefined) return {}
  const organization = world.store.organizations.by('api_key', secret)
  if (organization) return { organization: organization.id }
  return knownCredential(world, secret)?.identity ?? {}
}
