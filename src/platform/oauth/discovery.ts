import type { World } from '../../emulator/world/world.js'
import { scopesOf } from '../authentication/scopes.js'
import { supportedClaims } from './claims.js'
import { challengeMethods } from './pkce.js'
import { tokenGrants } from './token-grants.js'

/** Returns the OIDC discovery document. A browser may reach the emulator under another origin. wire: §1 "two networks", §6 */
export function discoveryDocument({ addresses }: Pick<World, 'addresses'>) {
  const { app_url, browser_url } = addresses
  return {
    issuer: app_url,
    authorization_endpoint: `${browser_url}/oauth/authorize`,
    token_endpoint: `${app_url}/oauth/token`,
    jwks_uri: `${app_url}/.well-known/jwks.json`,
    scopes_supported: scopesOf('authorize'),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: Object.keys(tokenGrants),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    claims_supported: supportedClaims,
    code_challenge_methods_supported: Object.keys(challengeMethods),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}

/** Returns the public keys that id_tokens are verified with. spec: §4.9 */
export async function jwks({ keys }: Pick<World, 'keys'>) {
  const published = await keys.published()
  return {
    keys: published.map(({ id, public_jwk: { kty, n, e } }) => {
      return { kty, n, e, kid: keys.wireKid(id), use: 'sig', alg: 'RS256' }
    }),
  }
}
