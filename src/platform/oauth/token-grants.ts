import type { World } from '../../emulator/world/world.js'
import type { AppRecord } from '../apps/app-record.js'
import { describeMistaken } from '../authentication/mistaken-credential.js'
import type { TokenRecord } from '../authentication/token-record.js'
import {
  describeExpiry,
  endTokens,
  type IssuingWorld,
  mintPair,
  type TokenPair,
  tokenState,
} from '../authentication/tokens.js'
import type { CodeRecord } from './code-record.js'
import { redeemCode } from './codes.js'
import { OAuthRefusal } from './oauth-error.js'
import type { Form } from './token-form.js'

interface Granted {
  pair: TokenPair
  /** The code that was redeemed: what an id_token is made of. */
  code?: CodeRecord
}

/** The behavior of each `grant_type` for an authenticated app. wire: §6 "token endpoint" */
export const tokenGrants: Record<string, (world: World, app: AppRecord, form: Form) => Granted> = {
  /** spec: §4.8 "Code exchange" */
  authorization_code: redeemCode,
  /** spec: §3, §4.8 "Refresh" */
  refresh_token: refresh,
}

/** @throws OAuthRefusal `unsupported_grant_type`, and what the grant refuses. */
export function grantTokens(world: World, app: AppRecord, form: Form): Granted {
  const grant_type = form.need('grant_type')
  const grant = Object.hasOwn(tokenGrants, grant_type) ? tokenGrants[grant_type] : undefined
  if (!grant) {
    const description = `The grant_type must be one of: ${Object.keys(tokenGrants).join(', ')}`
    throw new OAuthRefusal('unsupported_grant_type', description, `grant_type is ${grant_type}`)
  }
  return grant(world, app, form)
}

/**
 * Exchanges a refresh token for a new pair with the same scope. The old refresh token ends at once, in the same
 * change, so of many requests with it exactly one wins; the earlier access token lives on. wire: §6 "refresh"
 */
function refresh(world: IssuingWorld & Pick<World, 'addresses'>, app: AppRecord, form: Form): Granted {
  const token = usableRefreshToken(world, app, form.need('refresh_token'))
  const asked = form.get('scope')?.split(' ').filter(Boolean) ?? []
  const more = asked.filter((scope) => !token.scope.split(' ').includes(scope))
  if (more.length > 0) {
    throw new OAuthRefusal('invalid_scope', `The refresh token was not granted: ${more.join(' ')}`)
  }
  return world.store.change((tx) => {
    endTokens(world, tx, [token], 'rotated', 'refreshed')
    const { grant, scope, user, code } = token
    const installation = { id: token.installation, app: token.app, organization: token.organization }
    return { pair: mintPair(world, tx, { installation, grant, scope, user, code }) }
  })
}

function usableRefreshToken(
  world: Pick<World, 'addresses' | 'clock' | 'store'>,
  app: AppRecord,
  secret: string,
): TokenRecord {
  const token = world.store.tokens.by('secret', secret)
  if (token?.kind !== 'refresh') {
    const reason = describeMistaken(world, secret, 'refresh_token')
    throw refused('is not valid', reason ?? 'The refresh token was never issued here, or is no longer kept')
  }
  if (token.app !== app.id) {
    throw refused('is not valid', `The refresh token was issued to the app ${token.app}, not to ${app.id}`)
  }
  switch (tokenState(token, world.clock.now(token.organization))) {
    case 'rotated':
      throw refused('has been used already', `The refresh token was used at ${token.ended_at}`)
    case 'revoked':
      throw refused('was revoked', `The refresh token was revoked at ${token.ended_at}: ${token.ended_by}`)
    case 'expired':
      throw refused('has expired', `The refresh token ${describeExpiry(token)}`)
  }
  return token
}

const refused = (what: string, reason: string) => new OAuthRefusal('invalid_grant', `The refresh token ${what}`, reason)
