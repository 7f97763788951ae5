import { describeResponse } from '../context/app-response.js'
import type { AuditContext } from '../context/context.js'
import { Inconclusive } from '../context/failures.js'
import { createPerson, type Landing, mustSignIn, type Person } from '../context/person.js'
import { type BadToken, type BadTokenName, badTokens } from './bad-id-tokens.js'
import { type CheckEntry, defineChecks, fail, pass, remedy, skip, type Verdict } from './check.js'
import { type Forge, genuineClaims, ownKeys, whileServingKeys } from './forged-id-tokens.js'

/** Real milliseconds; a failure that took longer is a timeout of the app's, and says nothing about the token. */
const PATIENCE = 3_000
/** Begins the message about a token that the app accepted. */
const ACCEPTED = 'The app accepted'

const verify = {
  Node: "jose: jwtVerify(token, createRemoteJWKSet(url), { issuer, audience, algorithms: ['RS256'], requiredClaims: ['exp', 'sub'] }); compare nonce yourself, and refuse an empty sub and a second aud",
  Python:
    'Authlib: oauth.platform.authorize_access_token() verifies; PyJWT: jwt.decode(token, key, algorithms=["RS256"], audience=…, issuer=…, options={"require": ["exp", "sub"]}); compare nonce yourself, and refuse an empty sub and a second aud',
  Go: 'go-oidc: provider.Verifier(&oidc.Config{ClientID: clientID}).Verify(ctx, raw); compare Nonce, Subject and the length of Audience yourself',
  Ruby: 'openid_connect: ResponseObject::IdToken.decode(token, jwks).verify!(issuer:, client_id:, nonce:)',
  PHP: "firebase/php-jwt: JWT::decode($token, JWK::parseKeySet($jwks, 'RS256')), then compare iss, aud, exp and nonce yourself",
}

const VERIFY_ADVICE =
  'Verify the id_token with a library and say which issuer, audience and algorithm you expect. Trust no claim before; when it fails, show a page, not a 5xx.'

const checkOf = (name: BadTokenName, bad: BadToken): CheckEntry => ({
  title: `rejects an id_token ${bad.what}`,
  severity: 'critical',
  source: bad.source,
  expected: 'The browser is not signed in, and the response is not a 5xx.',
  remedy: remedy(bad.advice ?? VERIFY_ADVICE, verify),
  ...(bad.fetchesKeys && { lock: 'keys' }),
  run: async (context) => {
    const verdict = await judge(context, name)
    if (verdict.outcome !== 'fail') return verdict
    for (const cause of bad.causes ?? []) {
      const { outcome, message } = await judge(context, cause)
      const isAlike = message.startsWith(ACCEPTED) === verdict.message.startsWith(ACCEPTED)
      if (outcome === 'fail' && isAlike) return { ...verdict, followsFrom: `signin.id-token-${cause}` }
    }
    return verdict
  },
})

/** audit: "Sign-in" */
export const idTokens = defineChecks(['oauth.authorize', 'start', 'whoami'], {
  ...Object.fromEntries(
    Object.entries(badTokens).map(([name, bad]) => [`signin.id-token-${name}`, checkOf(name as BadTokenName, bad)]),
  ),
  'signin.aud-array': {
    title: 'accepts an audience that is an array',
    severity: 'medium',
    source: 'RFC 7519 §4.1.3; spec: §4.9.3',
    expected: 'Signs in when aud is an array that contains the client_id.',
    remedy: remedy('Let a library check aud, or compare the only entry of an array with your client_id.', verify),
    async run(context) {
      await mustSignIn(context)
      const person = await createPerson(context)
      const effect = { claims: { aud: [context.app.clientId] } }
      await person.tenant.fault({ match: { surface: 'id_token' }, effect, times: 1 })
      const landing = await person.followCallback(await person.getCallback())
      if (landing.isSignIn) return pass('Signed in')
      return fail('The app rejected an id_token whose aud is an array with the client_id', landing)
    },
  },
})

/** Tries every token of a kind, once in a run: a failure may explain others. */
const judge = (context: AuditContext, name: BadTokenName): Promise<Verdict> =>
  context.once(`id_token ${name}`, () => tryAll(context, name))

async function tryAll(context: AuditContext, name: BadTokenName): Promise<Verdict> {
  const { what, effects = [], forgeries, needsNonce } = badTokens[name]
  if (needsNonce && !(await context.browser().startSignIn()).searchParams.get('nonce')) {
    return skip('The app sends no nonce, so it has nothing to compare (see signin.nonce)')
  }
  for (const effect of effects) {
    const tried = `an id_token ${what}${effects.length > 1 ? ` (${effect})` : ''}`
    const verdict = await rejects(context, tried, (person) => underEffect(person, effect))
    if (verdict) return verdict
  }
  const forged =
    name === 'own-key' ? await tryOwnKeys(context) : await tryForged(context, what, await forgeries?.(context))
  if (typeof forged !== 'number') return forged
  await mustSignIn(context)
  const count = effects.length + forged
  return pass(`${count === 1 ? 'Rejected' : `${count} of them rejected`}; the genuine id_token after it was accepted`)
}

/** @returns the number of tokens that were rejected, or the failure. */
async function tryForged(
  context: AuditContext,
  what: string,
  forgeries: Record<string, Forge> = {},
): Promise<number | Verdict> {
  for (const [how, forge] of Object.entries(forgeries)) {
    const verdict = await rejects(context, `an id_token ${what}, ${how}`, (person) =>
      underForgery(context, person, forge),
    )
    if (verdict) return verdict
  }
  return Object.keys(forgeries).length
}

async function tryOwnKeys(context: AuditContext): Promise<number | Verdict> {
  const { result, requests } = await whileServingKeys(context, async (url) =>
    tryForged(context, badTokens['own-key'].what, await ownKeys(context, url)),
  )
  if (typeof result !== 'number' || requests === 0) return result
  return fail('The app fetched keys from an address in the header of an id_token (jku or x5u)')
}

/** A sign-in whose id_token is bad, and the number of bad tokens that were sent. */
interface BadSignIn {
  landing: Landing
  hits: number
}

async function underEffect(person: Person, effect: string): Promise<BadSignIn> {
  const body = { match: { surface: 'id_token' }, effect, times: 1 } as Parameters<Person['tenant']['fault']>[0]
  const fault = await person.tenant.fault(body)
  const landing = await person.followCallback(await person.getCallback())
  return { landing, hits: await fault.hits() }
}

async function underForgery(context: AuditContext, person: Person, forge: Forge): Promise<BadSignIn> {
  const request = await person.browser.startSignIn()
  const merge = { id_token: forge(genuineClaims(context, person, request)) }
  const match = { surface: 'oauth', grant_type: 'authorization_code' } as const
  const fault = await person.tenant.fault({ match, effect: { merge }, times: 1 })
  const landing = await person.followCallback(await person.authorize(request))
  return { landing, hits: await fault.hits() }
}

/** @returns the failure; undefined when the app rejects the token. @throws Inconclusive when it never got it. */
async function rejects(
  context: AuditContext,
  tried: string,
  signIn: (person: Person) => Promise<BadSignIn>,
): Promise<Verdict | undefined> {
  const { landing, hits } = await signIn(await createPerson(context))
  const { visit, session, entries, sent } = landing
  if (hits === 0) throw new Inconclusive('the app did not redeem the code', { sent: visit.last, entries })
  if (session?.isSignedIn) return fail(`${ACCEPTED} ${tried} and signed the browser in`, landing)
  if (!visit.broken) return undefined
  if (visit.broken.duration > PATIENCE) {
    const message = `the app gave up after ${visit.broken.duration} ms, regardless of the token`
    throw new Inconclusive(message, { sent, entries })
  }
  return fail(`The app rejected ${tried}, but failed (${describeResponse(visit.broken)})`, landing)
}
