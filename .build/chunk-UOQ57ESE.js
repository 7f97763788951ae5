// src/findings/rules.ts
var rules = {
  early_refresh: {
    level: "error",
    section: "spec: \xA75.2.3",
    explanation: "Every refresh rotates the refresh token, so refreshing early only makes races between workers. Use the access token until the platform answers 401, then refresh once and repeat the request."
  },
  refresh_reuse: {
    level: "error",
    section: "spec: \xA73",
    explanation: "A refresh token works once. Store the new refresh token from each response, in the same step that stores the access token, before it is used."
  },
  concurrent_refresh: {
    level: "error",
    section: "spec: \xA75.2.3",
    explanation: "Several workers refreshed with one refresh token at the same time: one of them won, the others got invalid_grant. Let one refresh run for an installation at a time, and let the others wait for its result."
  },
  dead_refresh: {
    level: "error",
    section: "spec: \xA73",
    explanation: "A refresh token that was answered with invalid_grant never works again. Stop using it, mark the installation as disconnected, and wait for app.installed."
  },
  retry_without_refresh: {
    level: "error",
    section: "spec: \xA75.2.3",
    explanation: "After a 401 the same access token is refused again. Refresh first, then repeat the request with the new token."
  },
  hopeless_retry: {
    level: "error",
    section: "spec: \xA75.2.4",
    explanation: "A 403 says that the token lacks a scope, which no retry changes. Report it, and ask for the permission in a new version of the app."
  },
  wrong_kind_of_token: {
    level: "error",
    section: "spec: \xA75.3",
    explanation: "Only install access tokens and API keys reach /v0. Refresh tokens and codes belong at the token endpoint, id_tokens are verified and dropped, and user tokens never reach the public API."
  },
  token_in_url: {
    level: "error",
    section: "spec: \xA75.2.7",
    explanation: "URLs end up in logs, histories and referrers. Send tokens in the Authorization header, and secrets in the body of the token request."
  },
  call_after_uninstall: {
    level: "error",
    section: "spec: \xA73",
    explanation: "The organization has uninstalled the app. Purge its credentials and stop its background work when app.uninstalled arrives."
  },
  code_reuse: {
    level: "error",
    section: "RFC 6749 \xA74.1.2",
    explanation: "An authorization code works once, and a second use revokes what the first one issued. Redeem it in one place, and do not repeat the request."
  },
  state_reuse: {
    level: "error",
    section: "spec: \xA75.4.1",
    explanation: "A state protects one authorization request. Generate a new one for every redirect to the authorization endpoint, and drop it when the callback arrives."
  },
  unverified_signature: {
    level: "error",
    section: "spec: \xA75.2.8",
    explanation: "A webhook whose signature does not fit its body was acknowledged. Compute the HMAC-SHA256 of the raw body with the signing secret, compare it in constant time, and answer 401 when it differs."
  },
  rejected_valid_event: {
    level: "error",
    section: "spec: \xA76.5",
    explanation: "A genuine event was refused. Usual causes: another signing secret than the app's, a body that was parsed and written again before it was verified, a digest in another encoding, or an event type that the handler does not know."
  },
  ignored_rate_limit: {
    level: "error",
    section: "wire: \xA72",
    explanation: "Wait for as long as Retry-After says before the next request with the same credential."
  },
  slow_acknowledgement: {
    level: "hint",
    section: "spec: \xA76.2",
    explanation: "Acknowledge first, and do the work afterwards: under load a slow handler misses its window."
  },
  slow_webhook_work: {
    level: "hint",
    section: "spec: \xA76.4",
    explanation: "The handler calls the API before it acknowledges. Store the event, answer 200, then do the work."
  },
  uncached_keys: {
    level: "hint",
    section: "spec: \xA78",
    explanation: "Discovery document and keys may be cached for an hour. Fetch them again when a key id is unknown."
  },
  stale_keys: {
    level: "hint",
    section: "spec: \xA74.9",
    explanation: "The id_token was signed with a new key. A verifier that meets an unknown key id fetches the keys again."
  },
  unread_pages: {
    level: "hint",
    section: "spec: \xA74.2",
    explanation: "Lists come in pages. Follow next until it is null, or items are missed."
  },
  polling: {
    level: "hint",
    section: "spec: \xA76",
    explanation: "The same request brings the same response again and again. Keep what was read, and ask less often."
  },
  unknown_fields: {
    level: "hint",
    section: "wire: \xA72",
    explanation: "The API ignores fields that it does not know. They may be misspelt."
  },
  weak_state: {
    level: "hint",
    section: "RFC 6749 \xA710.10",
    explanation: "A state should be hard to guess: at least 128 random bits, such as 16 random bytes in base64url."
  },
  no_pkce: {
    level: "hint",
    section: "RFC 9700 \xA72.1.1",
    explanation: "Send a code_challenge with S256: it binds the code to the browser that asked for it."
  },
  no_nonce: {
    level: "hint",
    section: "OIDC Core \xA73.1.2.1",
    explanation: "Send a nonce and compare it with the one in the id_token: it binds the id_token to this sign-in."
  },
  unredeemed_code: {
    level: "hint",
    section: "spec: \xA74.8",
    explanation: "A code was issued and never redeemed: the callback may have failed before the exchange."
  },
  unused_scope: {
    level: "hint",
    section: "spec: \xA75.3",
    explanation: "Ask for the permissions that the app needs, and no others: each one is something to be trusted with."
  }
};
var ruleNames = Object.keys(rules);

export {
  rules,
  ruleNames
};
