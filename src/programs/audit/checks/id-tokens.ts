import { describeResponse } from '../context/app-response.js'
import type { AuditContext } from '../context/context.js'
import { Inconclusive } from '../context/failures.js'
import { idsOf } from '../context/tenant.js'
import { type CheckEntry, counted, defineChecks, fail, pass, skip, type Verdict } from './check.js'
import { createPerson, mustSignIn } from './person.js'

/** Real milliseconds; a failure that took longer is a timeout of the app's, and says nothing about the token. */
const PATIENCE = 3_000
/** Real milliseconds; good libraries fetch keys at most every 30 s. */
const FETCH_INTERVAL = 35_000
const SIGN_INS = 5
const UNKNOWN = 20
/** The first one, and one after a change. */
const MOST_FETCHES = 2
/** One each 30 s, and a margin. */
const MOST_FETCHES_OF_UNKNOWN = 5

const verify =
  "Verify with a library (jose's jwtVerify, openid-client) and set `issuer`, `audience` and `algorithms: ['RS256']`. Do not trust a claim before verification succeeds. If it fails, show an error page, not a 5xx."

/**
 * A sign-in whose id_token is invalid in one way must fail.
 * @param effect of a fault on `id_token`.
 * @param source the rule of the platform or an RFC.
 */
const rejects = (effect: string, what: string, source: string, advice = ''): CheckEntry => ({
  title: `rejects an id_token ${what}`,
  severity: 'critical',
  source,
  expected: 'Nobody is signed in, and the response is not a 5xx.',
  remedy: advice === '' ? verify : `${verify} ${advice}`,
  run: (context) => rejectsToken(context, effect, what),
})

/** audit: "Sign-in" */
export const idTokens = defineChecks(['oauth.authorize', 'start', 'whoami'], {
  'signin.id-token-bad-signature': rejects('bad_signature', 'with an invalid signature', 'spec: §4.9.1, §5.4.2'),
  'signin.id-token-alg-none': rejects('alg_none', 'that is not signed (alg none)', 'spec: §4.9; RFC 8725 §3.1, §3.2'),
  'signin.id-token-hs256': rejects(
    'hs256',
    'signed with the client secret (HS256)',
    'spec: §4.9 (RS256); RFC 8725 §2.1, §3.1',
    'Choose the algorithm yourself; never read it from the token.',
  ),
  'signin.id-token-unknown-kid': {
    ...rejects('unknown_kid', 'signed with an unpublished key', 'spec: §4.9.1; RFC 8725 §3.10'),
    lock: 'keys',
  },
  'signin.id-token-wrong-iss': rejects('wrong_iss', 'from another issuer', 'spec: §4.9.2'),
  'signin.id-token-wrong-aud': rejects('wrong_aud', 'for another app', 'spec: §4.9.3'),
  'signin.id-token-expired': rejects('expired', 'that has expired', 'spec: §4.9.4'),
  'signin.id-token-not-yet-valid': rejects('not_yet_valid', 'that is not valid yet', 'RFC 7519 §4.1.5'),
  'signin.id-token-missing-sub': rejects(
    'missing_sub',
    'without a subject',
    'spec: §4.9; OpenID Connect Core §2',
    'Require the sub claim.',
  ),
  'signin.id-token-wrong-nonce': {
    ...rejects(
      'wrong_nonce',
      'with the nonce of another sign-in',
      'OpenID Connect Core §3.1.3.7 rule 11',
      'Compare the nonce claim with the nonce that you stored for this sign-in.',
    ),
    async run(context) {
      const hasNonce = Boolean((await context.browser().startSignIn()).searchParams.get('nonce'))
      if (!hasNonce) return skip('The app sends no nonce, so it has nothing to compare (see signin.nonce)')
      return rejectsToken(context, 'wrong_nonce', 'with the nonce of another sign-in')
    },
  },
  'signin.rotation': {
    title: 'signs in after the platform has rotated its key',
    severity: 'medium',
    source: 'spec: §4.8, §8; OpenID Connect Core §10.1.1',
    expected: 'Fetches the JWKS again when a token names an unknown kid, and signs in.',
    remedy: "Fetch the JWKS again on an unknown kid, at most once every 30 s. jose's createRemoteJWKSet does this.",
    order: 'alone',
    async run(context) {
      const { platform, wait } = context
      await mustSignIn(context)
      const last = (await platform.keyRequests(0)).at(-1)
      if (last) await wait(Math.max(0, Date.parse(last.at) + FETCH_INTERVAL - Date.now()))
      await platform.admin.rotateKeys()
      const person = await createPerson(context)
      const landing = await person.followCallback(await person.getCallback())
      if (landing.isSignIn) return pass('Fetched the new key and signed in')
      return fail('Nobody could sign in after the platform rotated its signing key', landing)
    },
  },
  'signin.aud-array': {
    title: 'accepts an audience that is an array',
    severity: 'medium',
    source: 'RFC 7519 §4.1.3; spec: §4.9.3',
    expected: 'Signs in when aud is an array that contains the client_id.',
    remedy: 'Let a library check aud, or check whether the array includes the client_id.',
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
  'signin.keys-cached': {
    title: 'caches the keys for an hour',
    severity: 'medium',
    needs: ['oauth.authorize', 'start'],
    source: 'spec: §4.8, §8',
    expected:
      'Fetches the JWKS at most 2 times for 5 sign-ins, and at most 5 times for 20 id_tokens with unknown keys.',
    remedy: "Create one key set per process (jose's createRemoteJWKSet) instead of one per request.",
    lock: 'keys',
    async run(context) {
      const known = await keyFetchesDuring(context, async () => {
        for (let count = 0; count < SIGN_INS; count++) await mustSignIn(context)
      })
      if (known.length > MOST_FETCHES) {
        const message = `The app fetched the JWKS ${known.length} times for ${SIGN_INS} sign-ins; it can be cached for an hour`
        return fail(message, { entries: known })
      }
      const person = await createPerson(context)
      const unknown = await keyFetchesDuring(context, async () => {
        await person.tenant.fault({ match: { surface: 'id_token' }, effect: 'unknown_kid', times: UNKNOWN })
        for (let count = 0; count < UNKNOWN; count++) {
          const { browser, getCallback } = person.atAnotherBrowser()
          await browser.followApp((await getCallback()).href)
        }
      })
      const tokens = `${UNKNOWN} id_tokens with unknown keys`
      if (unknown.length > MOST_FETCHES_OF_UNKNOWN) {
        return fail(`The app fetched the JWKS ${unknown.length} times for ${tokens}`, { entries: unknown })
      }
      const fetches = counted(known.length, 'fetch', 'fetches')
      return pass(`${fetches} for ${SIGN_INS} sign-ins, ${unknown.length} for ${tokens}`)
    },
  },
})

async function rejectsToken(context: AuditContext, effect: string, what: string): Promise<Verdict> {
  const person = await createPerson(context)
  const fault = await person.tenant.fault({ match: { surface: 'id_token' }, effect, times: 1 })
  const landing = await person.followCallback(await person.getCallback())
  const { visit, session, entries } = landing
  if ((await fault.hits()) === 0) {
    throw new Inconclusive('the app did not redeem the code', { sent: visit.last, entries })
  }
  if (session?.isSignedIn) return fail(`The app accepted an id_token ${what} and signed the browser in`, landing)
  if (visit.broken && visit.broken.duration > PATIENCE) {
    const { sent } = landing
    throw new Inconclusive(`the app gave up after ${visit.broken.duration} ms, regardless of the token`, {
      sent,
      entries,
    })
  }
  if (visit.broken) {
    return fail(`The app rejected an id_token ${what}, but failed (${describeResponse(visit.broken)})`, landing)
  }
  await mustSignIn(context)
  return pass('Rejected, and the genuine id_token after it was accepted')
}

/** Returns the ids of the requests for the JWKS that an action led to. */
async function keyFetchesDuring(
  { platform }: Pick<AuditContext, 'platform'>,
  act: () => Promise<void>,
): Promise<number[]> {
  const mark = await platform.mark()
  await act()
  const requests = await platform.keyRequests(mark)
  return idsOf(requests.filter(({ path }) => path.endsWith('/jwks.json')))
}
