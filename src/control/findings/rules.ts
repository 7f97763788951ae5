/** A rule that apps should keep. control-api: "Findings" */
interface Rule {
  level: 'error' | 'hint'
  section: string
  /** The check of `mockademy audit` that provokes the mistake, if there is one. audit: "Catalogue" */
  check?: string
  /** Explains what is wrong and what to do instead. */
  explanation: string
  /** The same for a request that a page's script made. */
  fromScript?: string
}

/** Rules whose violations are certain and forbidden. */
const errors = {
  early_refresh: {
    section: 'spec: §5.2.3',
    check: 'api.not-early',
    explanation:
      'Every refresh rotates the refresh token, so an early refresh gains nothing and can race with other workers. Use the access token until the platform returns 401, then refresh once and retry the request. Tokens of users are exempt: they cannot call the API, so no 401 asks for their refresh.',
  },
  refresh_reuse: {
    section: 'spec: §3',
    check: 'api.rotation-kept',
    explanation:
      'A refresh token works once. Store the refresh token from each response in the same write as the access token, before you use either.',
  },
  concurrent_refresh: {
    section: 'spec: §5.2.3',
    check: 'api.stampede',
    explanation:
      'Either several workers refreshed with the same refresh token at the same time, or the app did not store the new one. One refresh succeeded; the others got invalid_grant. Run one refresh per installation at a time, let the other workers wait for its result, and store the refresh token from each response.',
  },
  dead_refresh: {
    section: 'spec: §3',
    check: 'api.dead-grant',
    explanation:
      'A refresh token that was rejected with invalid_grant never works again. Stop using it, mark the installation as disconnected, and wait for the next app.installed.',
  },
  retry_without_refresh: {
    section: 'spec: §5.2.3',
    check: 'api.refreshes-once',
    explanation:
      'After a 401, the same access token is rejected every time. Refresh first, then retry the request with the new token.',
  },
  hopeless_retry: {
    section: 'spec: §5.2.4',
    check: 'api.insufficient-scope',
    explanation:
      'A 403 means that the token lacks a scope, so a retry cannot succeed. Report the error, and declare the permission in a new version of the app.',
  },
  wrong_kind_of_token: {
    section: 'spec: §5.3',
    explanation:
      'Only API keys and install access tokens can call /v0. Send refresh tokens, authorization codes and the client secret to the token endpoint only and the signing secret nowhere, discard an id_token once you have verified it, and never send a user access token to the public API.',
  },
  token_in_url: {
    section: 'spec: §5.2.7',
    check: 'api.bearer',
    explanation:
      'URLs end up in logs, browser histories and Referer headers. Send API keys and access tokens in the Authorization header, and send codes, refresh tokens and the client secret in the body of the token request.',
  },
  call_after_uninstall: {
    section: 'spec: §3',
    check: 'api.after-uninstall',
    explanation:
      'All tokens of an installation end with its uninstall. When app.uninstalled arrives, delete the credentials of the organization and stop its background work.',
  },
  code_reuse: {
    section: 'RFC 6749 §4.1.2',
    check: 'signin.state-once',
    explanation:
      'An authorization code works once, and a second use revokes the tokens that the first one issued. Redeem the code in one place, and do not retry the request.',
  },
  state_reuse: {
    section: 'spec: §5.4.1',
    check: 'signin.state-fresh',
    explanation:
      'A state protects one authorization request. Generate a new one for each redirect to the authorization endpoint, and discard it when the callback arrives.',
  },
  unverified_signature: {
    section: 'spec: §5.2.8',
    check: 'webhook.other-secret',
    explanation:
      'Anyone can send a webhook to a public URL; only its signature shows that it comes from the platform. Compute the HMAC-SHA256 of the raw body with the signing secret, compare it with the header in constant time, and return 401 if they differ.',
  },
  rejected_valid_event: {
    section: 'spec: §6.5',
    check: 'webhook.accepts',
    explanation:
      'An app that rejects a genuine event misses it. Return 200 for every event whose signature is right, also of a type that the handler does not know.',
  },
  ignored_rate_limit: {
    section: 'wire: §2',
    check: 'api.rate-limited',
    explanation:
      'After a 429, wait as long as Retry-After says (seconds or a date) before the next request with the same credential.',
  },
} as const satisfies Record<string, Omit<Rule, 'level'>>

/** Rules about practice, or past a threshold, which never fail a run. */
const hints = {
  slow_acknowledgement: {
    section: 'spec: §6.2',
    check: 'webhook.burst',
    explanation:
      'Acknowledge the webhook first and do the work afterwards. Under load, a slow handler misses the acknowledgement window.',
  },
  slow_webhook_work: {
    section: 'spec: §6.4',
    check: 'webhook.acknowledges-first',
    explanation:
      'API calls that a handler waits for count against the acknowledgement window. Store the event, return 200, then do the work.',
  },
  uncached_keys: {
    section: 'spec: §8',
    check: 'signin.keys-cached',
    explanation:
      'The discovery document and the JWKS can be cached for an hour. Fetch the JWKS again only when a token names an unknown kid.',
  },
  stale_keys: {
    section: 'spec: §4.9',
    check: 'signin.rotation',
    explanation:
      'Cached keys cannot verify an id_token that was signed after a key rotation. When a token names an unknown kid, fetch the JWKS again.',
  },
  unread_pages: {
    section: 'spec: §4.2',
    check: 'api.pages',
    explanation: 'Lists are paginated. Follow next until it is null, or the app misses items.',
  },
  polling: {
    section: 'spec: §6',
    explanation:
      "The same request keeps returning the same response. Cache the response, and poll less often. Requests less than 1 s apart, by the emulator's clock, are a burst and no poll.",
  },
  unknown_fields: {
    section: 'wire: §2',
    explanation:
      'The API ignores fields and query parameters that it does not know, and fields that a request cannot set. Check the names for typos.',
  },
  weak_state: {
    section: 'RFC 6749 §10.10',
    check: 'signin.state-fresh',
    explanation: 'A state should be hard to guess: use at least 128 random bits, such as 16 random bytes in base64url.',
  },
  no_pkce: {
    section: 'RFC 9700 §2.1.1',
    check: 'signin.pkce',
    explanation:
      'Send a code_challenge with code_challenge_method=S256. It binds the code to the sign-in that requested it, so that a stolen code is worthless.',
  },
  no_nonce: {
    section: 'OIDC Core §3.1.2.1',
    check: 'signin.nonce',
    explanation:
      'Send a nonce and compare it with the nonce claim of the id_token. It binds the id_token to this sign-in.',
  },
  unredeemed_code: {
    section: 'spec: §4.8',
    check: 'signin.works',
    explanation:
      'A code that is issued and never redeemed is a sign-in that did not finish: the callback failed before the token request. The usual cause is a lost state: a session cookie with SameSite=Strict is not sent when the platform redirects back. Use SameSite=Lax, and one host name (localhost or 127.0.0.1) throughout.',
    fromScript:
      'A script of a page asked for it, as with fetch, so that the browser did not go to the callback. Navigate the page to the authorization endpoint instead, with location.href or a link.',
  },
  unused_scope: {
    section: 'spec: §5.3',
    explanation:
      'Request only the permissions that the app needs. Organizations have to trust the app with each of them.',
  },
} as const satisfies Record<string, Omit<Rule, 'level'>>

const atLevel = <N extends string>(level: Rule['level'], given: Record<N, Omit<Rule, 'level'>>) =>
  Object.fromEntries(Object.entries<object>(given).map(([name, rule]) => [name, { level, ...rule }])) as Record<N, Rule>

/** Every rule, in the order of the table. control-api: "Findings" */
export const rules = { ...atLevel('error', errors), ...atLevel('hint', hints) }

export type RuleName = keyof typeof rules
export const ruleNames = Object.keys(rules) as RuleName[]
