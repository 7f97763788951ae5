import { errors, jwtVerify } from 'jose'
import { textOf } from './text.js'

/**
 * Verifies an id_token: its signature, issuer, audience, expiry and nonce. Only the algorithm that the platform signs with
 * is accepted: a token must not choose.
 *
 * @param {unknown} token
 * @param {{ provider: import('./provider.js').Provider, clientId: string, nonce: string }} expected
 * @returns {Promise<import('./sessions.js').User>} the user who has signed in
 * @throws {errors.JOSEError} when anything is wrong with it
 */
export async function userOf(token, { provider: { issuer, keys }, clientId, nonce }) {
  const { payload } = await jwtVerify(textOf(token) ?? '', keys, {
    issuer,
    audience: clientId,
    algorithms: ['RS256'],
    requiredClaims: ['exp', 'sub'],
  })
  const sub = textOf(payload.sub)
  if (!sub) throw new errors.JWTClaimValidationFailed('The subject is empty', payload, 'sub')
  if (payload.nonce !== nonce) throw new errors.JWTClaimValidationFailed('Another nonce', payload, 'nonce')
  // jose is content with more audiences beside this one.
  if ([payload.aud].flat().length !== 1) {
    throw new errors.JWTClaimValidationFailed('Issued to others too', payload, 'aud')
  }
  if (payload.azp !== undefined && payload.azp !== clientId) {
    throw new errors.JWTClaimValidationFailed('Issued to another app', payload, 'azp')
  }
  return { sub, name: textOf(payload.name), email: textOf(payload.email) }
}
