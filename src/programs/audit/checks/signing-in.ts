import { capitalized } from '../../reports/capitalized.js'
import { pluralize } from '../../reports/pluralize.js'
import { describePage } from '../app/app-response.js'
import type { AuditContext } from '../context/context.js'
import { createPerson, createVisitor, type Person } from '../context/person.js'
import { defineChecks, fail, pass, signInNeeds, type Verdict } from './check.js'
import { randomTexts } from './library-words.js'
import { randomBitsOf } from './randomness.js'

const SAMPLES = 20
const SIGN_INS = 3
const MIN_BITS = 128
const S256_LENGTH = 43

export const signingIn = defineChecks({ needs: signInNeeds })({
  'signin.request': {
    title: 'starts with a complete authorization request',
    severity: 'critical',
    source: 'spec: §4.8',
    expected:
      'Redirects to /oauth/authorize with response_type=code, the client_id of the app, a registered redirect_uri, the scope openid and a state.',
    fix: 'Redirect from start to a request that a library builds, with redirect_uri from configuration, exactly as it is registered: behind a proxy the Host header may be an internal name (nginx: proxy_set_header Host $http_host, or X-Forwarded-Host).',
    Node: 'openid-client: buildAuthorizationUrl(config, { redirect_uri, scope, state, … })',
    Python: 'Authlib: oauth.platform.authorize_redirect(redirect_uri)',
    Go: 'golang.org/x/oauth2: config.AuthCodeURL(state, oidc.Nonce(nonce))',
    Ruby: 'openid_connect: client.authorization_uri(scope:, state:, nonce:)',
    async run(context) {
      const { app } = context
      const { visitStart, whyNotStarted } = await createVisitor(context)
      const visit = await visitStart()
      const { stopped, last } = visit
      if (stopped === undefined) {
        const { origin, pathname } = new URL(last.url)
        const found = `GET ${origin}${pathname}: ${describePage(last, context.secrets.redact)}`
        return fail(capitalized(whyNotStarted(visit, found)), { sent: last })
      }
      const query = new URL(stopped).searchParams
      const get = (name: string) => query.get(name) ?? ''
      const registered = `(registered: ${app.callbacks.join(', ')})`
      const rules: [holds: boolean, message: string][] = [
        [get('client_id') === app.clientId, `client_id is ${query.get('client_id')}, not ${app.clientId}`],
        [get('response_type') === 'code', `response_type is ${query.get('response_type')}, not code`],
        [
          app.callbacks.includes(get('redirect_uri')),
          `redirect_uri ${query.get('redirect_uri')} is not registered ${registered}`,
        ],
        [get('scope').split(' ').includes('openid'), `scope "${get('scope')}" does not include openid`],
        [get('state') !== '', 'there is no state'],
      ]
      const wrong = rules.flatMap(([holds, message]) => (holds ? [] : [message]))
      if (wrong.length === 0) return pass('The authorization request is complete')
      return fail(`The authorization request is wrong: ${wrong.join('; ')}`, { sent: last, seen: stopped })
    },
  },
  'signin.state-fresh': {
    title: 'generates a new, unguessable state for each sign-in',
    severity: 'high',
    source: 'spec: §4.8, §5.4.1; RFC 6749 §10.10',
    expected: '20 sign-ins have 20 different states, each with at least 128 random bits.',
    fix: 'Generate it from a cryptographic random source, anew for each sign-in.',
    ...randomTexts,
    Python: `${randomTexts.Python}; Authlib does it by itself`,
    async run(context) {
      const requests = await Promise.all(Array.from({ length: SAMPLES }, () => startOnce(context)))
      const states = requests.map(({ searchParams }) => searchParams.get('state') ?? '')
      const distinct = new Set(states).size
      if (distinct < SAMPLES) {
        const message = `${SAMPLES} sign-ins used only ${pluralize(distinct, 'state', 'different states')}`
        return fail(message, { seen: `for example, ${states[0]}` })
      }
      const bits = Math.floor(randomBitsOf(states))
      if (bits >= MIN_BITS) return pass(`${SAMPLES} different states of at least ${MIN_BITS} bits`)
      const seen = `by the number and alphabet of the places that differ; for example, ${states[0]} and ${states[1]}`
      return fail(`A state has at most ${bits} random bits; it needs ${MIN_BITS}`, { seen })
    },
  },
  'signin.pkce': {
    title: 'sends an S256 challenge (PKCE)',
    severity: 'low',
    source: 'RFC 9700 §2.1.1; wire: §6 "PKCE"',
    expected: 'The request has a code_challenge, with code_challenge_method=S256, a new one for each sign-in.',
    fix: 'Store a random code_verifier with the state and send its SHA-256 as code_challenge. A stolen code is then worthless.',
    Node: 'openid-client: randomPKCECodeVerifier() and calculatePKCECodeChallenge(verifier)',
    Python: "Authlib: client_kwargs={'code_challenge_method': 'S256'}",
    Go: 'golang.org/x/oauth2 0.13: GenerateVerifier(), S256ChallengeOption(verifier), VerifierOption(verifier)',
    async run(context) {
      const [query, other] = await startTwice(context)
      const [method, challenge] = [query.get('code_challenge_method'), query.get('code_challenge') ?? '']
      if (challenge === '') return fail('The authorization request has no code_challenge')
      if (method !== 'S256') return fail(`code_challenge_method is ${method ?? 'missing, which means plain'}`)
      if (challenge.length < S256_LENGTH) {
        return fail(`The code_challenge has ${challenge.length} characters; a SHA-256 in base64url has ${S256_LENGTH}`)
      }
      if (challenge === other.get('code_challenge')) {
        return fail('Two sign-ins have the same code_challenge, thus the same code_verifier')
      }
      return pass('Each authorization request has an S256 code_challenge of its own')
    },
  },
  'signin.nonce': {
    title: 'sends a nonce',
    severity: 'low',
    source: 'OpenID Connect Core §3.1.2.1; wire: §6 "nonce"',
    expected: 'The request has a nonce, a new one for each sign-in, to compare with the nonce claim of the id_token.',
    fix: 'Store a random nonce with the state and compare it with the nonce claim, so that an id_token of another sign-in is rejected.',
    async run(context) {
      const [nonce, other] = (await startTwice(context)).map((query) => query.get('nonce'))
      if (!nonce) return fail('The authorization request has no nonce')
      if (nonce === other) return fail('Two sign-ins have the same nonce')
      return pass('Each authorization request has a nonce of its own')
    },
  },
  'signin.works': {
    title: 'signs in each user as the right account',
    severity: 'critical',
    needs: [...signInNeeds, 'whoami'],
    source: 'spec: §4.8, §4.9',
    expected: 'After the flow, whoami shows a session, and each user has an account of their own.',
    fix: 'Redeem the code with the client credentials, verify the id_token, and start your own session keyed to sub. All instances of the app need the same secrets, and a common store of states, nonces and sessions that are in no cookie.',
    async run(context) {
      const [first, second] = [await createPerson(context), await createPerson(context)]
      const failures: Verdict[] = []
      for (let count = 0; count < SIGN_INS; count++) {
        const failure = await findSignInFailure(context, first.atAnotherBrowser())
        if (failure) failures.push(failure)
      }
      const [failure] = failures
      if (failure && failures.length === SIGN_INS) return failure
      if (failure) {
        const message = `${failure.message} (in ${failures.length} of ${SIGN_INS} sign-ins)`
        return { ...failure, message, late: true }
      }
      const [session, other] = [(await first.signIn()).session, (await second.signIn()).session?.user]
      if (String(session?.user) !== String(other)) return pass(`Two users signed in, as ${session?.user} and ${other}`)
      return fail(`Two different users signed in, but whoami shows both as ${other}`, session)
    },
  },
})

/** Signs in. @returns a failure unless each request to `whoami` shows the session afterwards, whichever instance of the app responds. */
async function findSignInFailure({ sessions }: AuditContext, { browser, followCallback }: Person) {
  const { visit, redeemed, session, entries, hint } = await followCallback()
  const evidence = { sent: visit.last, entries }
  if (redeemed === 0) return fail(`The app did not redeem the code of the callback${hint}`, evidence)
  const reads = [session, ...(await sessions.readInTurn(() => browser))]
  const kept = reads.filter((each) => each?.isSignedIn).length
  if (kept === reads.length) return undefined
  const shown = kept === 0 ? 'whoami shows no session' : `${kept} of ${reads.length} requests to whoami show a session`
  return fail(`After the callback, ${shown}`, evidence)
}

/** Starts a sign-in at a browser without cookies. @returns the authorization request. */
const startOnce = async (context: AuditContext): Promise<URL> => (await createVisitor(context)).startSignIn()

export async function startTwice(context: AuditContext): Promise<[URLSearchParams, URLSearchParams]> {
  const [first, second] = await Promise.all([startOnce(context), startOnce(context)])
  return [first.searchParams, second.searchParams]
}
