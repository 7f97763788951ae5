import type { AppRecord } from '../apps/app-record.js'
import type { IdTokenEffect } from '../faults/effects.js'
import { fireFault } from '../faults/faults.js'
import type { UserRecord } from '../organizations/user-record.js'
import type { World } from '../world/world.js'
import type { CodeRecord } from './code-record.js'
import { tamperWith } from './id-token-faults.js'
import { type IdTokenDraft, signIdToken } from './sign-id-token.js'

/** A signed id_token; `fault` is the id of the injected fault that spoiled it. */
interface IssuedIdToken {
  token: string
  fault?: string
}

/** The claims that each scope brings. spec: §5.3 */
const claimsOfScope: Record<string, (user: UserRecord) => Record<string, unknown>> = {
  profile: ({ full_name }) => ({ name: full_name }),
  email: ({ email, email_verified }) => ({ email, email_verified }),
}

/**
 * The id_token for a code that has been redeemed; undefined when `openid` was not granted. Times are seconds on the
 * emulator's clock. Waits when the signing key is still being made. spec: §4.9, §5.3, wire: §6
 */
export async function idTokenFor(world: World, app: AppRecord, code: CodeRecord): Promise<IssuedIdToken | undefined> {
  const scopes = code.scope.split(' ')
  const user = world.store.users.get(code.user)
  if (!scopes.includes('openid') || !user) return undefined
  const now = world.clock.now()
  const key = await world.keys.signingKey()
  const draft: IdTokenDraft = {
    header: { alg: 'RS256', kid: key.id, typ: 'JWT' },
    claims: {
      sub: user.id,
      iss: world.addresses.app_url,
      aud: app.client_id,
      iat: Math.floor(now / 1000),
      exp: Math.floor((now + world.settings.id_token_ttl) / 1000),
      ...Object.assign({}, ...scopes.map((scope) => claimsOfScope[scope]?.(user))),
      ...(code.nonce !== null && { nonce: code.nonce }),
    },
  }
  const fault = fireFault(world, {
    surface: 'id_token',
    app: app.id,
    organization: code.organization,
    // The only request that is answered with an id_token.
    method: 'POST',
    path: '/oauth/token',
    grant_type: 'authorization_code',
  })
  if (!fault) return { token: await signIdToken(draft, key) }
  const token = await tamperWith(fault.effect as IdTokenEffect, {
    draft,
    key,
    seconds: Math.floor(now / 1000),
    clientSecret: app.client_secret,
  })
  return { token, fault: fault.id }
}
