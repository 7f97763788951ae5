import type { UserRecord } from '../organizations/user-record.js'

/** The claims that are in every id_token, and `nonce`, which is when it was sent. spec: §5.3, wire: §6 */
const always = ['sub', 'iss', 'aud', 'iat', 'exp', 'nonce']

/** The claims that each further scope brings. spec: §5.3 */
const claimsOfScope = {
  profile: { name: ({ full_name }) => full_name },
  email: { email: ({ email }) => email, email_verified: ({ email_verified }) => email_verified },
} as const satisfies Record<string, Record<string, (user: UserRecord) => unknown>>

/** Lists the claims of the discovery document. */
export const supportedClaims = [...always, ...Object.values(claimsOfScope).flatMap((claims) => Object.keys(claims))]

/** Returns the claims about a user for the granted scopes. */
export const userClaims = (user: UserRecord, scopes: string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<Record<string, (user: UserRecord) => unknown>>(claimsOfScope)
      .filter(([scope]) => scopes.includes(scope))
      .flatMap(([, claims]) => Object.entries(claims).map(([name, read]) => [name, read(user)])),
  )
