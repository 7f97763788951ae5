/** The named effects on webhooks, each in a few words. control-api: "effect on webhook" */
export const webhookEffects = {
  drop: 'never sent',
  unreachable: 'the connection is refused, so it is retried',
  duplicate: 'sent twice',
  duplicate_at_once: 'sent twice at once',
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
} as const

/** The named effects on id_tokens, each in a few words. control-api: "Faults" */
export const idTokenEffects = {
  bad_signature: 'an invalid signature',
  unknown_kid: 'a kid that is not in the JWKS',
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
} as const

export type WebhookEffectName = keyof typeof webhookEffects
export type IdTokenEffectName = keyof typeof idTokenEffects
