import { type IdTokenEffect, TOKEN_REQUEST } from '../../emulator/faults/effects.js'
import { fireFault } from '../../emulator/faults/faults.js'
import type { World } from '../../emulator/world/world.js'
import { roughDuration } from '../../foundation/schema/duration.js'
import type { Warning } from '../../foundation/schema/issue.js'
import type { AppRecord } from '../apps/app-record.js'
import { userClaims } from './claims.js'
import type { CodeRecord } from './code-record.js'
import { HOUR_IN_SECONDS, onlyOmitsNonce, tamperWith } from './id-token-faults.js'
import { signIdToken } from './sign-id-token.js'

/** More than any client allows a time to differ. Seconds. */
const LEEWAY = 300

/**
 * The id_token for a code that has been redeemed; undefined when `openid` was not granted. Times are seconds on the
 * organization's clock. Waits when the signing key is still being made. spec: §4.9, §5.3, wire: §6
 * @returns the `token`, the injected `fault` that has spoiled it if any, and `warnings` where clients that go by the
 * machine's clock refuse it.
 */
export async function idTokenFor(world: World, app: AppRecord, code: CodeRecord) {
  const scopes = code.scope.split(' ')
  const user = world.store.users.get(code.user)
  if (!scopes.includes('openid') || !user) return undefined
  const now = world.clock.now(code.organization)
  const key = await world.keys.signingKey()
  const draft = world.forms.idToken({
    header: { alg: 'RS256', kid: world.keys.wireKid(key.id), typ: 'JWT' },
    claims: {
      sub: user.id,
      iss: world.addresses.app_url,
      aud: app.client_id,
      iat: Math.floor(now / 1000),
      exp: Math.floor((now + world.settings.id_token_ttl) / 1000),
      ...userClaims(user, scopes),
      ...(code.nonce !== null && { nonce: code.nonce }),
    },
  })
  const facts = {
    surface: 'id_token',
    app: app.id,
    organization: code.organization,
    ...TOKEN_REQUEST,
    grant_type: 'authorization_code',
  } as const
  const fault = fireFault(world, facts, (effect) => code.nonce !== null || !onlyOmitsNonce(effect as IdTokenEffect))
  const warnings = refusedByMachine(world, code.organization)
  if (!fault) return { token: await signIdToken(draft, key), warnings }
  const mostAhead = Math.max(world.clock.ahead(code.organization), 0) / 1000 + LEEWAY
  const token = await tamperWith(fault.effect as IdTokenEffect, {
    draft,
    key,
    unixTime: Math.floor(now / 1000),
    away: HOUR_IN_SECONDS * (1 + Math.floor(mostAhead / HOUR_IN_SECONDS)),
    clientSecret: app.client_secret,
  })
  return { token, fault, warnings }
}

/** Describes why a client that uses the machine's clock rejects an id_token issued now. wire: §1 "seed" */
function refusedByMachine({ clock, settings }: Pick<World, 'clock' | 'settings'>, organization: string): Warning[] {
  const now = clock.now(organization)
  const machine = clock.machineNow()
  // Claims have whole seconds.
  const issued = Math.floor(now / 1000) * 1000
  const expires = Math.floor((now + settings.id_token_ttl) / 1000) * 1000
  let mismatch: string
  if (expires <= machine) mismatch = `its exp (${timeOf(expires)}) is ${roughDuration(machine - expires)} in the past`
  else if (issued > machine)
    mismatch = `its iat (${timeOf(issued)}) is ${roughDuration(issued - machine)} in the future`
  else return []
  const moveClock = settings.now === undefined ? 'move the clock' : 'start without --now, or move the clock'
  const isRight = expires <= machine && Math.abs(clock.ahead(organization)) < 1000
  const cure = isRight ? 'start with a longer --id-token-ttl' : moveClock
  const message = `By the machine's clock ${mismatch}, so clients that go by it refuse the id_token: ${cure}`
  return [{ code: 'id_token_time', path: 'id_token', message }]
}

const timeOf = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
