import type { IdTokenEffect } from '../../../src/emulator/faults/effects.js'

interface Forgery {
  effect: IdTokenEffect
  /** Requirement level of rejecting it, by OpenID Connect or RFC 7519 (JWT). */
  refusing: 'MUST' | 'SHOULD' | 'MAY'
}

/** Every id_token that is tried. docs/clients.md says where each is ruled on. */
export const forgeries: Record<string, Forgery> = {
  wrong_iss: { effect: 'wrong_iss', refusing: 'MUST' },
  no_iss: { effect: 'no_iss', refusing: 'MUST' },
  wrong_aud: { effect: 'wrong_aud', refusing: 'MUST' },
  no_aud: { effect: { omit: ['aud'] }, refusing: 'MUST' },
  second_aud: { effect: 'second_aud', refusing: 'MUST' },
  expired: { effect: 'expired', refusing: 'MUST' },
  no_exp: { effect: 'no_exp', refusing: 'MUST' },
  not_yet_valid: { effect: 'not_yet_valid', refusing: 'MUST' },
  wrong_nonce: { effect: 'wrong_nonce', refusing: 'MUST' },
  no_nonce: { effect: 'no_nonce', refusing: 'MUST' },
  missing_sub: { effect: 'missing_sub', refusing: 'MUST' },
  no_iat: { effect: 'no_iat', refusing: 'MUST' },
  alg_none: { effect: 'alg_none', refusing: 'SHOULD' },
  hs256: { effect: 'hs256', refusing: 'SHOULD' },
  bad_signature: { effect: 'bad_signature', refusing: 'MAY' },
  unknown_kid: { effect: 'unknown_kid', refusing: 'MAY' },
  wrong_azp: { effect: 'wrong_azp', refusing: 'MAY' },
  future_iat: { effect: 'future_iat', refusing: 'MAY' },
  no_kid: { effect: 'no_kid', refusing: 'MAY' },
}
