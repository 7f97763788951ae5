import type { IdTokenEffect } from '../../../src/faults/effects.js'

interface Forgery {
  /** @param seconds the time now, since 1970 */
  effect: (seconds: number) => IdTokenEffect
  /** What OpenID Connect (or RFC 7519, of which an id_token is an instance) says of refusing it. */
  refusing: 'MUST' | 'SHOULD' | 'MAY'
}

const HOUR = 3600

const forgery = (refusing: Forgery['refusing'], effect: IdTokenEffect | Forgery['effect']): Forgery => ({
  effect: typeof effect === 'function' ? effect : () => effect,
  refusing,
})

/** Every id_token that is tried. docs/clients.md says where each is ruled on. */
export const forgeries: Record<string, Forgery> = {
  wrong_iss: forgery('MUST', 'wrong_iss'),
  no_iss: forgery('MUST', { omit: ['iss'] }),
  wrong_aud: forgery('MUST', 'wrong_aud'),
  no_aud: forgery('MUST', { omit: ['aud'] }),
  second_aud: forgery('MUST', { claims: { aud: ['app_notes', 'another_app'] } }),
  expired: forgery('MUST', 'expired'),
  no_exp: forgery('MUST', { omit: ['exp'] }),
  not_yet_valid: forgery('MUST', 'not_yet_valid'),
  wrong_nonce: forgery('MUST', 'wrong_nonce'),
  no_nonce: forgery('MUST', { omit: ['nonce'] }),
  missing_sub: forgery('MUST', 'missing_sub'),
  no_iat: forgery('MUST', { omit: ['iat'] }),
  alg_none: forgery('SHOULD', 'alg_none'),
  hs256: forgery('SHOULD', 'hs256'),
  bad_signature: forgery('MAY', 'bad_signature'),
  unknown_kid: forgery('MAY', 'unknown_kid'),
  wrong_azp: forgery('MAY', { claims: { azp: 'another_app' } }),
  future_iat: forgery('MAY', (seconds) => ({ claims: { iat: seconds + HOUR, exp: seconds + 2 * HOUR } })),
  no_kid: forgery('MAY', 'no_kid'),
}
