import { trimEnded } from '../../emulator/world/retention.js'
import type { World } from '../../emulator/world/world.js'
import type { AppRecord } from '../apps/app-record.js'
import { type InstallationRecord, isCurrent } from '../apps/installation-record.js'
import { describeMistaken } from '../authentication/mistaken-credential.js'
import { endTokens, type IssuingWorld, mintPair } from '../authentication/tokens.js'
import type { UserRecord } from '../organizations/user-record.js'
import type { AuthorizationRequest } from './authorization-request.js'
import type { CodeRecord } from './code-record.js'
import { OAuthRefusal } from './oauth-error.js'
import { describeChallenge, verifierIssue } from './pkce.js'
import type { Form } from './token-form.js'

/** Issues an authorization code to a user, through an installation. wire: §6 "code" */
export function issueCode(
  world: IssuingWorld,
  request: AuthorizationRequest,
  user: UserRecord,
  installation: InstallationRecord,
): CodeRecord {
  const { clock, random, settings, store } = world
  const { redirect_uri, scope, nonce, code_challenge, code_challenge_method } = request
  return store.change((tx) => {
    const code = tx.add('codes', {
      id: random.id(),
      created_at: clock.timestamp(installation.organization),
      secret: random.secret('ac_'),
      app: installation.app,
      organization: installation.organization,
      installation: installation.id,
      user: user.id,
      scope: scope.join(' '),
      redirect_uri,
      nonce,
      code_challenge,
      code_challenge_method,
      expires_at: clock.timestamp(installation.organization, settings.code_ttl),
      used_at: null,
    })
    trimEnded(world, tx, 'codes')
    return code
  })
}

/**
 * Redeems a code for a token pair, once. A code that is used again ends what its first use brought. A request that
 * fails for another reason leaves the code as it is. wire: §6 "code", RFC 6749 §4.1.2
 * @param app the app that has authenticated.
 * @throws OAuthRefusal `invalid_grant`; `invalid_request` for a parameter that is missing.
 */
export function redeemCode(world: IssuingWorld & Pick<World, 'addresses'>, app: AppRecord, form: Form) {
  const { store, clock } = world
  const secret = form.need('code')
  const redirect_uri = form.need('redirect_uri')
  const code = store.codes.by('secret', secret)
  if (!code) {
    const reason = describeMistaken(world, secret, 'code') ?? 'The code was never issued here, or is no longer kept'
    throw refusedCode('is not valid', reason)
  }
  if (code.app !== app.id) {
    throw refusedCode('is not valid', `The code was issued to the app ${code.app}, not to ${app.id}`)
  }
  if (code.used_at !== null) {
    const issued = store.tokens.in('code', code.id)
    const ended = store.change((tx) => endTokens(world, tx, issued, 'revoked', 'its authorization code was used twice'))
    const revoked = ended.length === 1 ? '1 token issued from it was' : `${ended.length} tokens issued from it were`
    const reason = `The code was used at ${code.used_at}; ${revoked} revoked`
    throw refusedCode('has been used already', reason)
  }
  const installation = store.installations.get(code.installation)
  if (!installation || !isCurrent(installation)) {
    throw refusedCode('is not valid', `The installation it was granted through is ${installation?.state ?? 'gone'}`)
  }
  if (!store.memberships.get(`${code.organization}/${code.user}`)) {
    const email = store.users.get(code.user)?.email
    const reason = `The user ${email} is no longer a member of the organization ${code.organization}`
    throw refusedCode('is not valid', reason)
  }
  if (code.ended_by !== undefined) {
    throw refusedCode('is not valid', `The code was revoked at ${code.expires_at}: ${code.ended_by}`)
  }
  if (code.expires_at <= clock.timestamp(code.organization)) {
    throw refusedCode('has expired', `The code expired at ${code.expires_at}`)
  }
  if (code.redirect_uri !== redirect_uri) {
    throw new OAuthRefusal(
      'invalid_grant',
      'The redirect_uri does not match the authorization request',
      `The code was requested with redirect_uri ${code.redirect_uri}; the token request has ${redirect_uri}`,
    )
  }
  const verifier = form.get('code_verifier')
  const issue = verifierIssue(code, verifier)
  if (issue) {
    const remark = describeChallenge(code.code_challenge, verifier)
    throw new OAuthRefusal('invalid_grant', `PKCE: ${issue}`, `PKCE: ${issue}${remark ? `. ${remark}` : ''}`)
  }

  return store.change((tx) => {
    const used = tx.put('codes', { ...code, used_at: clock.timestamp(code.organization) })
    trimEnded(world, tx, 'codes')
    const { user, scope, id } = code
    return { code: used, pair: mintPair(world, tx, { installation, grant: 'authorize', scope, user, code: id }) }
  })
}

const refusedCode = (what: string, reason: string) =>
  new OAuthRefusal('invalid_grant', `The authorization code ${what}`, reason)
