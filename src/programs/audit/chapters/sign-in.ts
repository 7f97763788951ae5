import type { Check } from '../check.js'
import * as requests from '../checks/authorization-requests.js'
import * as callbacks from '../checks/callbacks.js'
import { cookies } from '../checks/cookies.js'
import * as idTokens from '../checks/id-tokens.js'
import * as sessions from '../checks/sessions.js'

const needs = ['oauth.authorize', 'start'] as const
const needsWho = [...needs, 'whoami'] as const
const state =
  'Generate a random state for each sign-in and bind it to the browser (in a cookie, or in the session behind one). In the callback, compare it before anything else, and delete it.'
const verify =
  "Verify with a library (jose's jwtVerify, openid-client) and set `issuer`, `audience` and `algorithms: ['RS256']`. Do not trust a claim before verification succeeds. If it fails, show an error page, not a 5xx."

/** One way of spoiling an id_token. @param rule of the platform or an RFC. */
const idToken = (name: string, effect: string, what: string, rule: string, remedy = verify): Check => ({
  id: `signin.id-token-${name}`,
  title: `rejects an id_token ${what}`,
  severity: 'critical',
  needs: needsWho,
  source: rule,
  expected: 'Nobody is signed in, and the response is not a 5xx.',
  remedy,
  ...(effect === 'unknown_kid' && { lock: 'keys' as const }),
  run: idTokens.refusesToken(effect, what),
})

/** audit: "Sign-in" */
export const signIn: Check[] = [
  {
    id: 'signin.request',
    title: 'starts with a complete authorization request',
    severity: 'critical',
    needs,
    source: 'spec: §4.8',
    expected:
      'Redirects to /oauth/authorize with response_type=code, the client_id of the app, a registered redirect_uri, the scope openid and a state.',
    remedy: 'Read redirect_uri from configuration, exactly as it is registered, and let a library build the request.',
    run: requests.request,
  },
  {
    id: 'signin.state-fresh',
    title: 'generates a new, unguessable state for each sign-in',
    severity: 'high',
    needs,
    source: 'spec: §4.8, §5.4.1; RFC 6749 §10.10',
    expected: '20 sign-ins have 20 different states, each with at least 128 random bits.',
    remedy: "Generate it with crypto.randomBytes(32).toString('base64url').",
    run: requests.stateFresh,
  },
  {
    id: 'signin.pkce',
    title: 'sends an S256 challenge (PKCE)',
    severity: 'low',
    needs,
    source: 'RFC 9700 §2.1.1; wire: §6 "PKCE"',
    expected: 'The request has a code_challenge, with code_challenge_method=S256.',
    remedy:
      'Store a random code_verifier with the state and send its SHA-256 as code_challenge. A stolen code is then worthless.',
    run: requests.pkce,
  },
  {
    id: 'signin.nonce',
    title: 'sends a nonce',
    severity: 'low',
    needs,
    source: 'OpenID Connect Core §3.1.2.1; wire: §6 "nonce"',
    expected: 'The request has a nonce, to compare with the nonce claim of the id_token.',
    remedy:
      'Store a random nonce with the state and compare it with the nonce claim, so that an id_token of another sign-in is rejected.',
    run: requests.nonce,
  },
  {
    id: 'signin.works',
    title: 'signs in each user as the right account',
    severity: 'critical',
    needs: needsWho,
    source: 'spec: §4.8, §4.9',
    expected: 'After the flow, whoami shows a session, and each user has an account of their own.',
    remedy:
      'Redeem the code with the client credentials, verify the id_token, and start your own session keyed to sub.',
    run: sessions.works,
  },
  {
    id: 'signin.state-wrong',
    title: 'rejects a callback with a wrong state',
    severity: 'critical',
    needs,
    source: 'spec: §5.4.1; RFC 6749 §10.12',
    expected: 'The app rejects the callback without redeeming the code. Nobody signed in, no 5xx.',
    remedy: state,
    run: callbacks.stateWrong,
  },
  {
    id: 'signin.state-missing',
    title: 'rejects a callback without a state',
    severity: 'critical',
    needs,
    source: 'spec: §5.4.1; RFC 6749 §10.12',
    expected: 'The app rejects the callback without redeeming the code. Nobody signed in, no 5xx.',
    remedy: `${state} Treat a missing or empty state as a wrong one.`,
    run: callbacks.stateMissing,
  },
  {
    id: 'signin.state-once',
    title: 'accepts a callback only once',
    severity: 'critical',
    needs,
    source: 'spec: §5.4.1; RFC 6749 §4.1.2',
    expected: 'The second visit is rejected and the code is not sent again, because that would revoke the tokens.',
    remedy: state,
    run: callbacks.stateOnce,
  },
  {
    id: 'signin.login-csrf',
    title: "rejects another browser's callback",
    severity: 'critical',
    needs,
    source: 'spec: §5.4.1; RFC 6749 §10.12; RFC 9700 §2.1',
    expected: 'A code and state that were issued to another browser sign nobody in.',
    remedy: `${state} A server-side list of valid states is not enough if it is not bound to a browser.`,
    run: callbacks.loginCsrf,
  },
  {
    id: 'signin.errors',
    title: 'handles every error in the callback',
    severity: 'high',
    needs,
    source: 'spec: §4.8, §7',
    expected: 'Shows a page or starts a normal sign-in, after at most 5 redirects. Nobody signed in, no 5xx, no loop.',
    remedy:
      'Check `error` before `code`. On login_required, start the sign-in without prompt=none. On any other error, show a page with a link to try again.',
    run: callbacks.errorCallbacks,
  },
  {
    id: 'signin.reflected',
    title: 'escapes what it shows from a callback',
    severity: 'high',
    needs: ['oauth.authorize'],
    source: 'ASVS 5.0 1.2.1; RFC 6749 §10.14',
    expected:
      'Markup and line breaks in error, error_description and state never appear unescaped in a page or header.',
    remedy: 'Show your own message for each known error, and escape everything that you take from the URL.',
    run: callbacks.reflected,
  },
  idToken('bad-signature', 'bad_signature', 'with an invalid signature', 'spec: §4.9.1, §5.4.2'),
  idToken('alg-none', 'alg_none', 'that is not signed (alg none)', 'spec: §4.9; RFC 8725 §3.1, §3.2'),
  idToken(
    'hs256',
    'hs256',
    'signed with the client secret (HS256)',
    'spec: §4.9 (RS256); RFC 8725 §2.1, §3.1',
    `${verify} Choose the algorithm yourself; never read it from the token.`,
  ),
  idToken('unknown-kid', 'unknown_kid', 'signed with an unpublished key', 'spec: §4.9.1; RFC 8725 §3.10'),
  idToken('wrong-iss', 'wrong_iss', 'from another issuer', 'spec: §4.9.2'),
  idToken('wrong-aud', 'wrong_aud', 'for another app', 'spec: §4.9.3'),
  idToken('expired', 'expired', 'that has expired', 'spec: §4.9.4'),
  idToken('not-yet-valid', 'not_yet_valid', 'that is not valid yet', 'RFC 7519 §4.1.5'),
  idToken(
    'missing-sub',
    'missing_sub',
    'without a subject',
    'spec: §4.9; OpenID Connect Core §2',
    `${verify} Require the sub claim.`,
  ),
  {
    ...idToken(
      'wrong-nonce',
      'wrong_nonce',
      'with the nonce of another sign-in',
      'OpenID Connect Core §3.1.3.7 rule 11',
      `${verify} Compare the nonce claim with the nonce that you stored for this sign-in.`,
    ),
    run: idTokens.wrongNonce,
  },
  {
    id: 'signin.rotation',
    title: 'signs in after the platform has rotated its key',
    severity: 'medium',
    needs: needsWho,
    source: 'spec: §4.8, §8; OpenID Connect Core §10.1.1',
    expected: 'Fetches the JWKS again when a token names an unknown kid, and signs in.',
    remedy: "Fetch the JWKS again on an unknown kid, at most once every 30 s. jose's createRemoteJWKSet does this.",
    place: 'alone',
    run: idTokens.rotation,
  },
  {
    id: 'signin.aud-array',
    title: 'accepts an audience that is an array',
    severity: 'medium',
    needs: needsWho,
    source: 'RFC 7519 §4.1.3; spec: §4.9.3',
    expected: 'Signs in when aud is an array that contains the client_id.',
    remedy: 'Let a library check aud, or check whether the array includes the client_id.',
    run: idTokens.audArray,
  },
  {
    id: 'signin.keys-cached',
    title: 'caches the keys for an hour',
    severity: 'medium',
    needs,
    source: 'spec: §4.8, §8',
    expected:
      'Fetches the JWKS at most 2 times for 5 sign-ins, and at most 5 times for 20 id_tokens with unknown keys.',
    remedy: "Create one key set per process (jose's createRemoteJWKSet) instead of one per request.",
    lock: 'keys',
    run: idTokens.keysCached,
  },
  {
    id: 'signin.subject',
    title: 'identifies accounts by sub, not by email',
    severity: 'critical',
    needs: needsWho,
    source: 'spec: §4.9, §5.4.4',
    expected: 'The same sub with a new email is the same account. Another sub with that email is another account.',
    remedy: 'Key accounts by sub. An email address can change, and can pass to another person.',
    run: sessions.subject,
  },
  {
    id: 'signin.cookie',
    title: 'keeps its session in a safe cookie',
    severity: 'high',
    needs,
    source: 'spec: §5.4.4; ASVS 5.0 3.3, 7.2.4',
    expected:
      'The session cookie is HttpOnly, has SameSite=Lax or Strict, gets a new value at sign-in, and holds no token of the platform.',
    remedy: 'Set both attributes, start a new session once the id_token is verified, and discard the id_token.',
    run: cookies,
  },
  {
    id: 'signin.silent',
    title: 'signs in silently after the install',
    severity: 'medium',
    needs: [...needs, 'post_install_action'],
    source: 'spec: §5.4.5',
    expected:
      'The landing page sends prompt=none and the organization. On login_required, the app starts its normal sign-in.',
    remedy:
      'Forward the `organization` parameter to /oauth/authorize with prompt=none. On login_required, fall back to the normal sign-in once.',
    run: sessions.silent,
  },
  {
    id: 'signin.token-endpoint-down',
    title: 'reports that a code cannot be redeemed',
    severity: 'medium',
    needs,
    source: 'RFC 6749 §4.1.2, §5.2',
    expected: 'A response within 10 s, nobody signed in, and the code is not sent again.',
    remedy:
      'Set a timeout of a few seconds on the token request and do not retry it, because a code works once. Offer to sign in again.',
    run: sessions.tokenEndpointDown,
  },
  {
    id: 'signin.open-redirect',
    title: 'stays on its own origin after the sign-in',
    severity: 'high',
    needs,
    source: 'RFC 9700 §4.11; ASVS 5.0 3.7.2',
    expected: 'Parameters such as returnTo never lead to another host, in any spelling.',
    remedy:
      'Resolve the URL with new URL(text, origin) and compare its origin. Checking for a leading slash is not enough.',
    run: sessions.openRedirect,
  },
  {
    id: 'signin.user-token',
    title: "never sends a user's access token to /v0",
    severity: 'medium',
    needs,
    source: 'spec: §5.3',
    expected: 'Calls /v0 with install tokens only. User tokens cannot reach it.',
    remedy: 'Discard the access token of the sign-in. You need only the id_token.',
    run: sessions.userToken,
  },
]
