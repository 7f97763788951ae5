import type { IdTokenEffectName, WebhookEffectName } from '../../../emulator/faults/effects.js'
import type { InjectedRefusal } from '../../../emulator/serving/surface.js'
import type { Option } from '../parts/field.js'

const http: Record<InjectedRefusal, string> = {
  rate_limited: '429, with Retry-After',
  token_expired: '401, the token expired',
  token_revoked: '401, the token was revoked',
  insufficient_scope: '403, a scope is missing',
  unavailable: '503',
}
const webhook: Record<WebhookEffectName, string> = {
  drop: 'never sent',
  duplicate: 'sent twice',
  reorder: 'held until after the next one',
  lose_ack: 'the acknowledgement is lost, so it is retried',
  bad_signature: 'an invalid signature',
  short_signature: 'half of the signature',
  no_signature: 'no signature at all',
  stale_signature: 'signed with another secret',
  altered_body: 'the body is changed after signing',
  reserialised: 'the same JSON, formatted differently after signing',
  replay: 'the same body with another idempotency key',
  truncate: 'the body is cut off',
}
const idToken: Record<IdTokenEffectName, string> = {
  bad_signature: 'an invalid signature',
  unknown_kid: 'a key that is not in the JWKS',
  wrong_iss: 'another issuer',
  no_iss: 'no iss',
  wrong_aud: 'for another client',
  second_aud: 'for this client and another one',
  wrong_azp: 'authorized party is another client',
  expired: 'already expired',
  no_exp: 'no exp',
  not_yet_valid: 'nbf in the future',
  future_iat: 'issued in the future',
  no_iat: 'no iat',
  missing_sub: 'no sub',
  alg_none: 'unsigned',
  hs256: 'signed with the client secret, no kid',
  hs256_kid: 'signed with the client secret, a kid of its own',
  no_kid: 'no kid in the header',
  wrong_nonce: 'another nonce',
  no_nonce: 'no nonce',
}

/** The named effects of each surface in a few words. The compiler reports a missing one. control-api: Faults */
const effects: Record<string, Record<string, string>> = { webhook, id_token: idToken }

/** The named effects of a surface as options; of requests to `/v0` and OAuth for any other. */
export const effectsOf = (surface: string): Option[] =>
  Object.entries(effects[surface] ?? http).map(([value, means]) => ({ value, label: `${value}: ${means}` }))
