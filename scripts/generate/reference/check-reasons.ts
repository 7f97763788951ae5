/** The harm of each mistake that the audit looks for, a sentence each, for `docs/checks.md`. */
export const checkReasons: Record<string, string> = {
  'webhook.accepts':
    'An event that is not acknowledged counts as failed: the platform tries it a few times and gives up, and the organization has an app without credentials.',
  'webhook.acknowledges-first':
    'On a slow day of the platform every webhook times out, is sent again and makes the app call the slow platform once more.',
  'webhook.unsigned':
    'The URL is public. Anyone could install and uninstall the app for any organization with one curl.',
  'webhook.other-secret':
    'A signature proves something only with a secret that nobody else has. An unset variable is the empty secret, which everyone has.',
  'webhook.altered': 'If some bytes are not covered, an attacker changes those and keeps a genuine signature.',
  'webhook.reserialised':
    'The signature covers bytes. An app that signs what it parsed accepts texts that the platform never sent, and rejects genuine ones as soon as the spacing changes.',
  'webhook.short-signature':
    'A signature of 8 digits is guessed in hours; and a comparison that throws lets anyone crash the handler.',
  'webhook.odd-signature':
    'A header is whatever the sender likes. If it can make the handler throw, anyone can fill the error log.',
  'webhook.raw-body':
    'Trimming, decoding or parsing first changes the bytes, so that genuine events are rejected on the day on which the platform formats its JSON in another way.',
  'webhook.duplicate':
    'The platform repeats an event whose acknowledgement was lost. An error makes it repeat again; a second effect overwrites tokens that were refreshed since.',
  'webhook.replayed':
    'Headers are not signed. Whoever records one webhook could send it again under a new idempotency key and bring dead tokens back.',
  'webhook.stale-install':
    'A late or replayed event would bring an organization back that has uninstalled the app, or replace new tokens by dead ones.',
  'webhook.order':
    'Retries overtake each other. The app would keep an installation that ended, and call the platform for it without end.',
  'webhook.unknown-event':
    'A new event type of the platform would fail, be retried, and fill both logs, on the day it is introduced.',
  'webhook.unknown-fields': 'Platforms add fields without notice. A strict schema turns every addition into an outage.',
  'webhook.without-credentials':
    'An app without `oauth.install` gets no credentials. A TypeError is a 500, so the platform sends the event again and again.',
  'webhook.garbage':
    'What cannot be handled is the sender\'s fault and a 4xx; a 5xx says "try again", and an unhandled one may end the process.',
  'webhook.burst':
    'Installs come in bursts: after a deploy, a retry or an announcement. The queue that one slow handler makes times out.',
  'webhook.late-uninstall':
    'The customer has installed the app again, and loses it by an event about the installation before.',
  'webhook.never-installed':
    'If another spelling of a slug finds an organization, a stranger reads the data of a customer.',
  'webhook.queue-kept':
    'The platform sends an acknowledged event never again. A deploy at the wrong moment loses the credentials for good.',
  'webhook.isolation': 'One customer whose requests hang takes the app away from all others.',
  'api.bearer':
    'URLs end up in the logs of proxies, in browser histories and in Referer headers, and the token with them.',
  'api.refreshes-once':
    'A refresh token works once. A second refresh wastes the new one, and two at a time leave the app with a token that is dead.',
  'api.not-early': 'An early refresh rotates tokens that still work, and races with the workers that use them.',
  'api.stampede':
    'After an hour all requests meet the 401 together. One refresh wins, the others get `invalid_grant`, and an app that believes them cuts the customer off.',
  'api.rotation-kept': 'The first refresh works, the second cannot: the app stops two hours after each install.',
  'api.refresh-fails':
    'A restart of the platform at the wrong moment would cut customers off until they install the app again.',
  'api.refresh-lost':
    'The token was used although no answer came. An app that asks for ever is blocked; one that waits for the next install heals.',
  'api.dead-grant': 'Nothing brings a dead grant back. Each page view would send another hopeless request.',
  'api.background':
    'Timers multiply by the number of customers, rotate tokens that nobody needs, and race with requests.',
  'api.after-uninstall':
    'The customer has withdrawn consent. Data that is kept and calls that go on are a breach of it.',
  'api.after-upgrade':
    'The old tokens end with the upgrade, so every request fails until somebody installs the app again.',
  'api.insufficient-scope':
    'A refresh gives the same scopes, so the app loops, and its users see a timeout and not the reason.',
  'api.rate-limited': 'Requests before the time count too, so an impatient app never gets out of the limit.',
  'api.outage': 'Retries without a limit turn a short outage into a long one, and hold every worker of the app.',
  'api.pages':
    'Everything looks right in development, and the customer with more than 50 items misses the rest without an error.',
  'api.tenants': 'Two requests at the same time swap their tokens, and one customer sees the data of the other.',
  'api.tolerant': 'The platform may add fields and types at any time; a strict client stops with the first one.',
  'api.restart': 'Credentials are sent once. What was in memory only is gone with the next deploy, for all customers.',
  'signin.request': 'The platform shows an error page and redirects nowhere, so nobody can sign in.',
  'signin.state-fresh':
    "A state that can be guessed or comes again protects nothing: an attacker puts their own into a victim's browser.",
  'signin.pkce': 'Without it a code that leaks through a log or a Referer can be redeemed by whoever finds it.',
  'signin.nonce': 'Without it an id_token of an earlier sign-in can be played back.',
  'signin.works': 'The person has consented, comes back and is not signed in.',
  'signin.state-wrong':
    "An attacker completes a sign-in of their own in the victim's browser, and the victim works in the attacker's account.",
  'signin.state-missing': 'A check that is skipped without a state is skipped by leaving the state out.',
  'signin.state-once':
    'A second use of the code revokes the tokens of the first; and a callback that can be repeated can be replayed from a history.',
  'signin.login-csrf':
    "The state must belong to this browser. One list for all browsers accepts the attacker's own callback in the victim's.",
  'signin.token-injection':
    'Any other app on the platform has id_tokens of its users, and could sign in here as each of them.',
  'signin.other-organization':
    'The slug in the address is chosen by the visitor: this is broken access control, the first of the OWASP lists.',
  'signin.errors': 'A person who declines sees a stack trace, or a loop of redirects.',
  'signin.reflected': "Whoever sends a link runs scripts on the app's pages, with the session of the victim.",
  'signin.id-token-bad-signature': 'Whoever can answer for the token endpoint, or inject a token, signs in as anyone.',
  'signin.id-token-alg-none': 'A token without a signature is written by hand.',
  'signin.id-token-hs256':
    'The algorithm would be chosen by the attacker, and the client secret be a signing key in too many hands.',
  'signin.id-token-unknown-kid': "A key that the platform does not publish is the attacker's.",
  'signin.id-token-wrong-iss': 'Tokens of another issuer, even of the same software, are about other people.',
  'signin.id-token-wrong-aud':
    'A token for another app, whose operator may be an attacker, would sign its users in here.',
  'signin.id-token-expired': 'A token that leaked a year ago would still sign in.',
  'signin.id-token-not-yet-valid': 'A token before its time was not meant for this sign-in.',
  'signin.id-token-missing-sub': 'All tokens without a subject would share one account.',
  'signin.id-token-wrong-nonce': 'The token belongs to another sign-in: it is stolen or played back.',
  'signin.id-token-no-nonce': 'A check that is made only where there is a nonce is avoided by leaving it out.',
  'signin.id-token-no-exp': 'A token that never expires is a password that cannot be changed.',
  'signin.id-token-no-iss': 'A check that is made only where there is an issuer is avoided by leaving it out.',
  'signin.id-token-second-aud': 'The other audience has this token too, and can use it here.',
  'signin.id-token-public-key-as-secret':
    'The public key is public: anyone can sign with it once HS256 is accepted (CVE-2022-29217).',
  'signin.id-token-own-key': 'The attacker signs with a key of their own and sends it along (CVE-2018-0114).',
  'signin.id-token-odd-kid':
    "The kid is the attacker's text, and opens whatever it is pasted into: a file, a query, a command.",
  'signin.aud-array': 'Both forms are valid. The day the platform sends the other one, nobody can sign in.',
  'signin.keys-cached': 'Each sign-in waits for another request, and fails with the endpoint of the keys.',
  'signin.unknown-keys': 'Forged tokens would make the app flood the platform, which then limits it.',
  'signin.subject': 'Emails change and pass to other people, who would get the account of the one before.',
  'signin.cookie':
    'A script on the page could read the session; a token in a cookie leaves the server with every request.',
  'signin.fixation': 'An attacker plants a session id before the sign-in, and uses it after.',
  'signin.session-guess': 'A counter or a clock is tried through in minutes.',
  'signin.logout': 'A stolen cookie works on after the logout; and a link could sign people out.',
  'signin.code-page': 'A shared computer or a proxy would show a page of the person before.',
  'signin.silent': 'The installer has just signed in to the platform, and is asked again, or sees an error page.',
  'signin.token-endpoint-down':
    'The person looks at a blank page for a minute, and tries again with a code that is spent.',
  'signin.open-redirect': "A link to the app that ends on an attacker's page is the best phishing link there is.",
  'signin.user-token':
    'The public API takes install tokens only, so the call fails, and a personal token is where it does not belong.',
  'signin.rotation': 'After the next rotation nobody can sign in until the app is restarted.',
  leaks:
    'Responses and logs are copied, forwarded and kept. A token in one of them is in the hands of all who read it.',
  'leaks.at-rest': 'A backup or a stolen disk would contain the access to all customers.',
}
