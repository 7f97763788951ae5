import { type EndingWorld, trimEnded } from '../../emulator/world/retention.js'
import type { World } from '../../emulator/world/world.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import type { Transaction } from '../../foundation/store/store.js'
import type { TokenRecord } from './token-record.js'

/** The parts of a world with which tokens and codes are issued. */
export type IssuingWorld = EndingWorld & Pick<World, 'random'>

/** @param now ms since 1970. A token that was ended early says so even after it would have expired. spec: §2.6 */
export const tokenState = (token: TokenRecord, now: number) =>
  token.ended ?? (Date.parse(token.expires_at) <= now ? 'expired' : 'active')

/** Says, for the journal, when a token expired and what ended it before its time. */
export const describeExpiry = ({ expires_at, ended_by }: TokenRecord) =>
  `expired at ${expires_at}${ended_by === null ? '' : `: ${ended_by}`}`

/** An access token with the refresh token that was made with it. */
export interface TokenPair {
  access: TokenRecord
  refresh: TokenRecord
}

export interface MintRequest {
  installation: Pick<RecordOf<'installations'>, 'id' | 'app' | 'organization'>
  grant: TokenRecord['grant']
  /** Space-separated. */
  scope: string
  /** A user's id, for the grant `authorize`. */
  user?: string | null
  /** The code that is being redeemed, or that an earlier pair came from. */
  code?: string | null
  /** Lifetime of the access token in ms; the setting's when left out. */
  ttl?: number
  /** Secrets to use instead of new ones: fixtures name theirs. */
  secrets?: { access_token?: string | undefined; refresh_token?: string | undefined }
}

/** Mints an access token and a refresh token. Opaque, 256 bits each. spec: §2.6, wire: §6 */
export function mintPair(world: IssuingWorld, tx: Transaction, request: MintRequest): TokenPair {
  const { clock, random, settings } = world
  const { installation, grant, scope, user = null, code = null, ttl = settings.access_token_ttl, secrets } = request
  const { id, app, organization } = installation
  const token = (kind: TokenRecord['kind'], secret: string, lifetime: number, access?: string): TokenRecord =>
    tx.add('tokens', {
      id: random.id(),
      created_at: clock.timestamp(organization),
      secret,
      kind,
      grant,
      app,
      organization,
      installation: id,
      user,
      scope,
      code,
      ...(access !== undefined && { access }),
      expires_at: clock.timestamp(organization, lifetime),
      ended: null,
      ended_at: null,
      ended_by: null,
    })
  const access = token('access', secrets?.access_token ?? random.secret('at_'), ttl)
  const secret = secrets?.refresh_token ?? random.secret('rt_')
  const refresh = token('refresh', secret, settings.refresh_token_ttl, access.id)
  trimEnded(world, tx, 'tokens')
  return { access, refresh }
}

/** Ends tokens that have not ended. @param by for the journal, such as `uninstalled`. @returns those that changed. */
export function endTokens(
  world: EndingWorld,
  tx: Transaction,
  tokens: Iterable<TokenRecord>,
  ended: 'revoked' | 'rotated',
  by: string,
): TokenRecord[] {
  const open = [...tokens].filter((token) => token.ended === null)
  for (const token of open) {
    tx.put('tokens', { ...token, ended, ended_at: world.clock.timestamp(token.organization), ended_by: by })
  }
  trimEnded(world, tx, 'tokens')
  return open
}

/** Lets those tokens expire that are active. @param by for the journal. @returns those that changed. */
export function expireTokens(
  world: EndingWorld,
  tx: Transaction,
  tokens: Iterable<TokenRecord>,
  by: string,
): TokenRecord[] {
  const { clock } = world
  const active = [...tokens].filter((token) => tokenState(token, clock.now(token.organization)) === 'active')
  for (const token of active) {
    tx.put('tokens', { ...token, expires_at: clock.timestamp(token.organization), ended_by: by })
  }
  trimEnded(world, tx, 'tokens')
  return active
}

/** Ends the tokens and unused codes of a user that the installations of an organization brought. wire: §6 */
export function endUserGrants(
  world: EndingWorld,
  tx: Transaction,
  { organization, user }: { organization: string; user: string },
  by: string,
): void {
  for (const { id } of world.store.installations.in('organization', organization)) {
    const tokens = [...world.store.tokens.in('installation', id)].filter((token) => token.user === user)
    endTokens(world, tx, tokens, 'revoked', by)
    const now = world.clock.timestamp(organization)
    for (const code of [...world.store.codes.in('installation', id)]) {
      if (code.user !== user || code.used_at !== null || code.expires_at <= now) continue
      tx.put('codes', { ...code, expires_at: now, ended_by: by })
    }
  }
}

/** Returns the token response, without an id_token. spec: §2.6, wire: §6 */
export function presentPair(world: Pick<World, 'clock'>, { access, refresh }: TokenPair) {
  const begun = Date.parse(access.created_at)
  const lifetime = Math.floor((Date.parse(access.expires_at) - begun) / 1000)
  // In whole seconds, since a clock that runs moves on while a pair is made.
  const passed = Math.floor((world.clock.now(access.organization) - begun) / 1000)
  return {
    token_type: 'Bearer' as const,
    expires_in: lifetime - passed,
    access_token: access.secret,
    refresh_token: refresh.secret,
    scope: access.scope,
  }
}
