import { describeResponse } from '../app/app-response.js'
import { Inconclusive } from '../app/failures.js'
import type { AuditContext } from '../context/context.js'
import { createPerson, mustSignIn } from '../context/person.js'
import type { FaultBody } from '../context/tenant.js'
import { type BadToken, badTokens, type IdToken } from './bad-id-tokens.js'
import { type CheckEntry, defineChecks, fail, pass, signInNeeds, skip, type Verdict } from './check.js'
import { genuineClaims, whileServingKeys } from './forged-id-tokens.js'
import { startTwice } from './signing-in.js'

/** A failure that took longer is a timeout of the app's, and says nothing about the token. */
const MAX_FAILURE_MS = 3_000

const verify = {
  Node: "jose: jwtVerify(token, createRemoteJWKSet(url), { issuer, audience, algorithms: ['RS256'], requiredClaims: ['exp', 'sub'] }); compare nonce yourself, and refuse an empty sub and a second aud",
  Python:
    'Authlib: oauth.platform.authorize_access_token() verifies; PyJWT: jwt.decode(token, key, algorithms=["RS256"], audience=…, issuer=…, options={"require": ["exp", "sub"]}); compare nonce yourself, and refuse an empty sub and a second aud',
  Go: 'go-oidc: provider.Verifier(&oidc.Config{ClientID: clientID}).Verify(ctx, raw); compare Nonce, Subject and the length of Audience yourself',
  Ruby: 'openid_connect: ResponseObject::IdToken.decode(token, jwks).verify!(issuer:, client_id:, nonce:); it ignores nbf and accepts a second aud: compare both yourself, Array(id_token.aud) == [client_id]',
  PHP: "firebase/php-jwt: JWT::decode($token, JWK::parseKeySet($jwks, 'RS256')), then compare iss, aud, exp and nonce yourself",
}

const VERIFY_ADVICE =
  'Verify the id_token with a library and say which issuer, audience and algorithm you expect. Trust no claim before; when it fails, show a page, not a 5xx.'

const checkOf = (name: string, bad: BadToken): CheckEntry => ({
  title: `rejects an id_token ${bad.what}`,
  severity: 'critical',
  source: bad.source,
  expected: 'The browser is not signed in, and the response is not a 5xx.',
  fix: bad.advice ?? VERIFY_ADVICE,
  ...verify,
  control: mustSignIn,
  async run(context) {
    const own = await judge(context, name)
    for (const cause of (own.outcome === 'fail' && bad.causes) || []) {
      const { outcome, isAccepted } = await judge(context, cause)
      const isAlike = outcome === 'fail' && isAccepted === own.isAccepted
      if (isAlike) return { ...own, followsFrom: `signin.id-token-${cause}` }
    }
    return own
  },
})

export const idTokens = defineChecks({ needs: [...signInNeeds, 'whoami'] })({
  ...Object.fromEntries(
    Object.entries(badTokens).map(([name, bad]) => [`signin.id-token-${name}`, checkOf(name, bad)]),
  ),
  'signin.aud-array': {
    title: 'accepts an audience that is an array',
    severity: 'medium',
    source: 'RFC 7519 §4.1.3; spec: §4.9.3',
    expected: 'Signs in when aud is an array that contains the client_id.',
    fix: 'Let a library check aud, or compare the only entry of an array with your client_id.',
    ...verify,
    async run(context) {
      await mustSignIn(context)
      const landing = await signInWith(context, { claims: { aud: [context.app.clientId] } })
      if (landing.isSignIn) return pass('Signed in')
      return fail('The app rejected an id_token whose aud is an array with the client_id', landing)
    },
  },
})

/** The verdict on a kind of tokens. `isAccepted`: one of them signed the browser in. */
type Judgment = Verdict & { isAccepted?: boolean }

/** Tries every token of a kind, once in a run: a failure may explain others. */
const judge = (context: AuditContext, name: string): Promise<Judgment> =>
  context.once(`id_token ${name}`, () => tryAll(context, name, badTokens[name] as BadToken))

async function tryAll(context: AuditContext, name: string, bad: BadToken): Promise<Judgment> {
  const { what, forged, more, needsNonce } = bad
  if (needsNonce) {
    const [nonce, other] = (await startTwice(context)).map((query) => query.get('nonce'))
    if (!nonce) return skip('The app sends no nonce, so it has nothing to compare (see signin.nonce)')
    if (nonce === other)
      return skip('Each sign-in has the same nonce, so that of another one is right too (see signin.nonce)')
  }
  const { result, requests } = await whileServingKeys(context, async (keysUrl) => {
    const effect = name.replaceAll('-', '_')
    const tokens = Object.entries((await forged?.(context, keysUrl)) ?? { [effect]: effect, ...more?.(context) })
    const kindOf = (how: string) => `an id_token ${what}${tokens.length > 1 ? ` (${how})` : ''}`
    return rejectsAll(context, new Map(tokens.map(([how, token]) => [kindOf(how), token])))
  })
  if (result.outcome !== 'pass' || requests === 0) return result
  return fail('The app fetched keys from an address in the header of an id_token (jku or x5u)')
}

/** @param tokens by what they are. */
async function rejectsAll(context: AuditContext, tokens: Map<string, IdToken>): Promise<Judgment> {
  for (const [token, idToken] of tokens) {
    const landing = await signInWith(context, idToken)
    const { visit, session, entries, sent } = landing
    if (session?.isSignedIn) {
      const refused = `The app refused ${token} (${describeResponse(visit.last)}), but signed the browser in: its session begins before the id_token is verified`
      const accepted = `The app accepted ${token} and signed the browser in`
      const message = (visit.last.status ?? 0) >= 400 ? refused : accepted
      return { ...fail(message, landing), isAccepted: true }
    }
    if (!visit.broken) continue
    if (visit.broken.duration > MAX_FAILURE_MS) {
      const message = `the app gave up after ${visit.broken.duration} ms, regardless of the token`
      throw new Inconclusive(message, { sent, entries })
    }
    return fail(`The app rejected ${token}, but failed (${describeResponse(visit.broken)})`, landing)
  }
  const rejected = tokens.size === 1 ? 'Rejected' : `${tokens.size} of them rejected`
  return pass(`${rejected}; the genuine id_token after it was accepted`)
}

/** @throws Inconclusive when the app got no id_token, because it did not redeem the code. */
async function signInWith(context: AuditContext, token: IdToken) {
  const person = await createPerson(context)
  const request = await person.browser.startSignIn()
  const isForged = typeof token === 'function'
  const effect = isForged ? { merge: { id_token: token(genuineClaims(context, person, request)) } } : token
  const match = isForged ? { surface: 'oauth', grant_type: 'authorization_code' } : { surface: 'id_token' }
  const fault = await person.tenant.fault({ match, effect, times: 1 } as FaultBody)
  const landing = await person.followCallback(await person.authorize(request))
  const { visit, entries } = landing
  if ((await fault.hits()) > 0) return landing
  throw new Inconclusive('the app did not redeem the code', { sent: visit.last, entries })
}
