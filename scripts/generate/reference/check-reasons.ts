/** The harm of each mistake that the audit looks for, a sentence each, for `docs/checks.md`. */
export const checkReasons: Record<string, string> = {
  'webhook.accepts':
    'An event that is not acknowledged has failed: the platform retries it a few times, and then the organization has an app without credentials.',
  'webhook.acknowledges-first':
    'When the platform is slow, every webhook times out, is sent again, and makes the app call the slow platform again.',
  'webhook.unsigned':
    'The URL is public. Anyone could install and uninstall the app for any organization with one curl.',
  'webhook.other-secret':
    'A signature proves something only if its secret is secret. An unset variable is an empty secret, which everyone knows.',
  'webhook.altered':
    'If the signature does not cover some bytes, an attacker can change them and keep a genuine signature.',
  'webhook.reserialised':
    'The signature covers bytes. An app that signs the parsed value accepts bodies that the platform never sent, and rejects genuine ones as soon as the spacing changes.',
  'webhook.short-signature':
    'A signature of 8 digits can be guessed in hours, and a comparison that throws lets anyone crash the handler.',
  'webhook.odd-signature':
    'The sender controls the header. If it can make the handler throw, anyone can fill the error log.',
  'webhook.raw-body':
    'Trimming, decoding or parsing first changes the bytes, so the app rejects genuine events as soon as the platform formats its JSON differently, or a name in it has an umlaut.',
  'webhook.duplicate':
    'The platform repeats an event whose acknowledgement was lost. An error makes it repeat again; a second effect overwrites tokens that were refreshed since.',
  'webhook.replayed':
    'Headers are not signed. An attacker who records a webhook can replay it with a new idempotency key and restore dead tokens.',
  'webhook.stale-install':
    'A late or replayed event would restore an organization that has uninstalled the app, or replace new tokens with dead ones.',
  'webhook.order':
    'Retries can arrive out of order. The app would keep an ended installation, and call the platform for it forever.',
  'webhook.unknown-event': 'A new event type would fail, be retried, and fill both logs.',
  'webhook.unknown-fields': 'Platforms add fields without notice. A strict schema turns every addition into an outage.',
  'webhook.without-credentials':
    'An app without `oauth.install` gets no credentials. A TypeError is a 500, so the platform sends the event again and again.',
  'webhook.garbage':
    "A malformed request is the sender's fault: return a 4xx. A 5xx asks for a retry, and an unhandled error may end the process.",
  'webhook.burst':
    'Installs come in bursts: after a deploy, a retry or an announcement. If a slow handler makes others wait, they time out. If one overwrites what another has stored, that organization is lost.',
  'webhook.late-uninstall':
    'The customer has installed the app again, and an event about the previous installation would remove it.',
  'webhook.never-installed':
    'If another spelling of a slug matches an organization, a stranger can read the data of a customer.',
  'webhook.queue-kept':
    'The platform never resends an acknowledged event. A deploy at the wrong moment loses the credentials for good.',
  'webhook.isolation': "One customer's hanging requests would block all others.",
  'api.bearer': 'URLs, and the tokens in them, end up in proxy logs, browser histories and Referer headers.',
  'api.refreshes-once':
    'A refresh token works once. A second refresh wastes the new one, and two at the same time leave the app with a dead token.',
  'api.not-early': 'An early refresh rotates tokens that still work, and races with the workers that use them.',
  'api.stampede':
    'After an hour, all requests get a 401 at once. One refresh succeeds, the others get `invalid_grant`, and an app that trusts those cuts the customer off.',
  'api.rotation-kept': 'The first refresh works, the second cannot: the app stops two hours after each install.',
  'api.refresh-fails':
    'A restart of the platform at the wrong moment would cut customers off until they install the app again.',
  'api.refresh-lost':
    'The token was used although no response arrived. An app that retries forever gets blocked; one that waits for the next install recovers.',
  'api.dead-grant': 'A dead grant never works again. Each page view would send another useless request.',
  'api.background': 'Timers multiply with the number of customers, rotate unused tokens, and race with requests.',
  'api.after-uninstall': 'The customer has withdrawn consent. Keeping data and sending requests violates that.',
  'api.after-upgrade': 'The old tokens end with the upgrade, so every request fails until the app is installed again.',
  'api.insufficient-scope':
    'A refresh gives the same scopes, so the app loops, and its users see a timeout instead of the reason.',
  'api.rate-limited': 'Early requests count too, so an impatient app stays above the limit.',
  'api.outage': 'Retries without a limit turn a short outage into a long one, and block every worker of the app.',
  'api.pages': 'Development looks fine, but a customer with more than 50 items misses the rest without an error.',
  'api.tenants': 'Two requests at the same time swap their tokens, and one customer sees the data of the other.',
  'api.tolerant': 'The platform may add fields and types at any time; a strict client breaks at the first one.',
  'api.restart': 'Credentials are sent once. If they are only in memory, the next deploy loses them for all customers.',
  'signin.request': 'The platform shows an error page instead of redirecting, so no user can sign in.',
  'signin.state-fresh':
    "A guessable or repeated state gives no protection: an attacker can start their own sign-in in a victim's browser.",
  'signin.pkce': 'Without PKCE, anyone who finds a code in a log or a Referer header can redeem it.',
  'signin.nonce': 'Without a nonce, an id_token of an earlier sign-in can be replayed.',
  'signin.works': 'The user has consented, returns, and is not signed in.',
  'signin.state-wrong':
    "An attacker completes a sign-in of their own in the victim's browser, and the victim works in the attacker's account.",
  'signin.state-missing': 'If the app skips the check when the state is missing, an attacker omits the state.',
  'signin.state-once':
    'A second use of the code revokes the tokens of the first, and a repeatable callback can be replayed from the browser history.',
  'signin.login-csrf':
    "The state must belong to this browser. One list for all browsers accepts the attacker's callback in the victim's browser.",
  'signin.token-injection':
    'Any other app on the platform has id_tokens of its users, and could sign in here as any of them.',
  'signin.other-organization':
    'The visitor chooses the slug in the URL: this is broken access control, the first item of the OWASP lists.',
  'signin.errors': 'A user who declines would see a stack trace or a redirect loop.',
  'signin.reflected':
    "An attacker who sends a link can run scripts on the app's pages, with the session of the victim.",
  'signin.id-token-bad-signature':
    'An attacker who can impersonate the token endpoint, or inject a token, can sign in as anyone.',
  'signin.id-token-alg-none': 'Anyone can write a token without a signature.',
  'signin.id-token-hs256':
    'The attacker would choose the algorithm, and the client secret would become a signing key that too many people have.',
  'signin.id-token-unknown-kid': "A key that the platform does not publish may be an attacker's.",
  'signin.id-token-wrong-iss': 'Tokens of another issuer, even with the same software, identify other people.',
  'signin.id-token-wrong-aud':
    'A token for another app, whose operator may be an attacker, would sign its users in here.',
  'signin.id-token-expired': 'A token that leaked a year ago would still sign in.',
  'signin.id-token-not-yet-valid': 'A token that is not valid yet is not for this sign-in.',
  'signin.id-token-missing-sub': 'All tokens without a subject would share one account.',
  'signin.id-token-wrong-nonce': 'The token belongs to another sign-in: it is stolen or replayed.',
  'signin.id-token-no-nonce': 'If the app checks the nonce only when present, an attacker omits it.',
  'signin.id-token-no-exp': 'A token that never expires is a password that cannot be changed.',
  'signin.id-token-no-iss': 'If the app checks the issuer only when present, an attacker omits it.',
  'signin.id-token-second-aud': 'The other app has this token too, and can use it here.',
  'signin.id-token-public-key-as-secret':
    'The public key is public: anyone can sign with it once HS256 is accepted (CVE-2022-29217).',
  'signin.id-token-own-key': 'The attacker signs with their own key and sends it along (CVE-2018-0114).',
  'signin.id-token-odd-kid': 'The attacker chooses the kid, and can inject it into a file path, a query or a command.',
  'signin.aud-array': 'Both forms are valid. If the platform sends the other one, no user can sign in.',
  'signin.keys-cached': 'Each sign-in needs another request, and fails if the endpoint of the keys fails.',
  'signin.unknown-keys': 'Forged tokens would make the app flood the platform with requests.',
  'signin.subject':
    'Email addresses change and are reassigned; the new owner would get the account of the previous one.',
  'signin.cookie':
    'A script on the page can read the session, a token in a cookie is sent with every request, and a cookie that lasts for years signs in anyone who gets hold of the device.',
  'signin.fixation': 'An attacker can set a session id before the sign-in, and use it afterwards.',
  'signin.session-guess': 'An attacker can try all values of a counter or a clock in minutes.',
  'signin.logout': 'A stolen cookie still works after the logout, and a link could sign users out.',
  'signin.code-page': 'A shared computer or a proxy could show a page of the previous user.',
  'signin.silent':
    'The installer has just signed in to the platform, and would have to sign in again, or see an error page.',
  'signin.token-endpoint-down': 'The user sees a blank page for a minute, and tries again with a used code.',
  'signin.open-redirect': "A link to the app that leads to an attacker's page is ideal for phishing.",
  'signin.user-token':
    'The public API takes install tokens only, so the call fails, and a personal token is sent to the wrong place.',
  'signin.rotation': 'After the next rotation, no user can sign in until the app is restarted.',
  leaks: 'Responses and logs are copied, forwarded and kept. Everyone who reads them gets the token.',
  'leaks.at-rest': 'A backup or a stolen disk would give access to all customers.',
}
