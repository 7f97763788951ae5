/** The problems of a credential. wire: §2 "bearer errors" */
export type CredentialState = 'expired' | 'revoked' | 'unknown'

/** Returns the challenge of a 401 without a credential. RFC 6750 §3 */
export const bearerChallenge = () => ({ 'www-authenticate': 'Bearer' })

/** Returns the challenge of a 401 with a credential that does not work; an unknown one may have been an API key. wire: §2 "bearer errors" */
export const invalidTokenChallenge = (state: CredentialState) => ({
  'www-authenticate': `Bearer error="invalid_token", error_description="The ${state === 'unknown' ? 'credential' : 'access token'} is ${state}"`,
})

/** Returns the challenge of a 403; no scope would do where `scope` is null. wire: §2 "bearer errors" */
export const insufficientScopeChallenge = (scope: string | null | undefined) => ({
  'www-authenticate': `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`,
})
