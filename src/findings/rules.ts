/** What an app under test should not do. control-api: "Findings" */
interface Rule {
  /** An error is certain and forbidden; a hint is practice or a threshold, and never fails a run. */
  level: 'error' | 'hint'
  /** Where the rule comes from. */
  section: string
  /** What is wrong with it and what to do instead. */
  explanation: string
}

/** Every rule, in the order in which findings are listed. control-api: "Findings" */
export const rules = {
  early_refresh: {
    level: 'error',
    section: 'spec: §5.2.3',
    explanation:
      'Every refresh rotates the refresh token, so refreshing early only makes races between workers. Use the access token until the platform answers 401, then refresh once and repeat the request.',
  },
  refresh_reuse: {
    level: 'error',
    section: 'spec: §3',
    explanation:
      'A refresh token works once. Store the new refresh token from each response, in the same step that stores the access token, before it is used.',
  },
  concurrent_refresh: {
    level: 'error',
    section: 'spec: §5.2.3',
    explanation:
      'Several workers refreshed with one refresh token at the same time: one of them won, the others got invalid_grant. Let one refresh run for an installation at a time, and let the others wait for its result.',
  },
  dead_refresh: {
    level: 'error',
    section: 'spec: §3',
    explanation:
      'A refresh token that was answered with invalid_grant never works again. Stop using it, mark the installation as disconnected, and wait for app.installed.',
  },
  retry_without_refresh: {
    level: 'error',
    section: 'spec: §5.2.3',
    explanation:
      'After a 401 the same access token is refused again. Refresh first, then repeat the request with the new token.',
  },
  hopeless_retry: {
    level: 'error',
    section: 'spec: §5.2.4',
    explanation:
      'A 403 says that the token lacks a scope, which no retry changes. Report it, and ask for the permission in a new version of the app.',
  },
  wrong_kind_of_token: {
    level: 'error',
    section: 'spec: §5.3',
    explanation:
      'Only install access tokens and API keys reach /v0. Refresh tokens and codes belong at the token endpoint, id_tokens are verified and dropped, and user tokens never reach the public API.',
  },
  token_in_url: {
    level: 'error',
    section: 'spec: §5.2.7',
    explanation:
      'URLs end up in logs, histories and referrers. Send tokens in the Authorization header, and secrets in the body of the token request.',
  },
  call_after_uninstall: {
    level: 'error',
    section: 'spec: §3',
    explanation:
      'The organization has uninstalled the app. Purge its credentials and stop its background work when app.uninstalled arrives.',
  },
  code_reuse: {
    level: 'error',
    section: 'RFC 6749 §4.1.2',
    explanation:
      'An authorization code works once, and a second use revokes what the first one issued. Redeem it in one place, and do not repeat the request.',
  },
  state_reuse: {
    level: 'error',
    section: 'spec: §5.4.1',
    explanation:
      'A state protects one authorization request. Generate a new one for every redirect to the authorization endpoint, and drop it when the callback arrives.',
  },
  unverified_signature: {
    level: 'error',
    section: 'spec: §5.2.8',
    explanation:
      'A webhook whose signature does not fit its body was acknowledged. Compute the HMAC-SHA256 of the raw body with the signing secret, compare it in constant time, and answer 401 when it differs.',
  },
  rejected_valid_event: {
    level: 'error',
    section: 'spec: §6.5',
    explanation:
      "A genuine event was refused. Usual causes: another signing secret than the app's, a body that was parsed and written again before it was verified, a digest in another encoding, or an event type that the handler does not know.",
  },
  ignored_rate_limit: {
    level: 'error',
    section: 'wire: §2',
    explanation: 'Wait for as long as Retry-After says before the next request with the same credential.',
  },
  slow_acknowledgement: {
    level: 'hint',
    section: 'spec: §6.2',
    explanation: 'Acknowledge first, and do the work afterwards: under load a slow handler misses its window.',
  },
  slow_webhook_work: {
    level: 'hint',
    section: 'spec: §6.4',
    explanation: 'The handler calls the API before it acknowledges. Store the event, answer 200, then do the work.',
  },
  uncached_keys: {
    level: 'hint',
    section: 'spec: §8',
    explanation: 'Discovery document and keys may be cached for an hour. Fetch them again when a key id is unknown.',
  },
  stale_keys: {
    level: 'hint',
    section: 'spec: §4.9',
    explanation:
      'The id_token was signed with a new key. A verifier that meets an unknown key id fetches the keys again.',
  },
  unread_pages: {
    level: 'hint',
    section: 'spec: §4.2',
    explanation: 'Lists come in pages. Follow next until it is null, or items are missed.',
  },
  polling: {
    level: 'hint',
    section: 'spec: §6',
    explanation: 'The same request brings the same response again and again. Keep what was read, and ask less often.',
  },
  unknown_fields: {
    level: 'hint',
    section: 'wire: §2',
    explanation: 'The API ignores fields that it does not know. They may be misspelt.',
  },
  weak_state: {
    level: 'hint',
    section: 'RFC 6749 §10.10',
    explanation: 'A state should be hard to guess: at least 128 random bits, such as 16 random bytes in base64url.',
  },
  no_pkce: {
    level: 'hint',
    section: 'RFC 9700 §2.1.1',
    explanation: 'Send a code_challenge with S256: it binds the code to the browser that asked for it.',
  },
  no_nonce: {
    level: 'hint',
    section: 'OIDC Core §3.1.2.1',
    explanation: 'Send a nonce and compare it with the one in the id_token: it binds the id_token to this sign-in.',
  },
  unredeemed_code: {
    level: 'hint',
    section: 'spec: §4.8',
    explanation: 'A code was issued and never redeemed: the callback may have failed before the exchange.',
  },
  unused_scope: {
    level: 'hint',
    section: 'spec: §5.3',
    explanation: 'Ask for the permissions that the app needs, and no others: each one is something to be trusted with.',
  },
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof rules
export const ruleNames = Object.keys(rules) as RuleName[]
