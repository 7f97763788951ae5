import { createRemoteJWKSet } from 'jose'

const HOUR = 3_600_000
const TIMEOUT = 3_000

/**
 * @typedef {object} Provider
 * @property {string} issuer
 * @property {string} authorizationEndpoint
 * @property {import('jose').JWTVerifyGetKey} keys
 */

/**
 * The platform as OpenID provider, by its discovery document, which may be cached for an hour, as may the keys. jose
 * fetches keys again when it meets an unknown one, but not within 30 s of the last time.
 *
 * @param {string} appUrl
 * @returns {() => Promise<Provider>} rejects while the document cannot be had
 */
export function createProvider(appUrl) {
  const issuer = new URL(appUrl).origin
  /** @type {{ provider: Promise<Provider>, until: number } | undefined} */
  let known

  async function discover() {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    /** @type {any} */
    const document = await response.json()
    if (document?.issuer !== issuer) throw new Error('The discovery document is of another issuer')
    return {
      issuer,
      authorizationEndpoint: new URL(document.authorization_endpoint).href,
      keys: createRemoteJWKSet(new URL(document.jwks_uri), { cacheMaxAge: HOUR, timeoutDuration: TIMEOUT }),
    }
  }

  return () => {
    if (known && known.until > Date.now()) return known.provider
    const asked = { provider: discover(), until: Date.now() + HOUR }
    known = asked
    asked.provider.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.provider
  }
}
