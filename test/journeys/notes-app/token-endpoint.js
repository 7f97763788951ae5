import { textOf } from './text.js'

/** Longer than for anything else: a refresh that is given up may be done all the same, and then nothing but an install helps. */
const TIMEOUT = 7_000

/** The token endpoint said no. `code` is its reason (`invalid_grant`, …), undefined when it gave none. */
class TokenRefusal extends Error {
  /** @param {string | undefined} code */
  constructor(code) {
    super('The token endpoint said no')
    this.name = 'TokenRefusal'
    this.code = code
  }
}

/**
 * The platform's token endpoint, as this app. It is asked once: a code and a refresh token work once, and when an answer
 * is lost nobody knows whether they did.
 *
 * @param {{ appUrl: string, clientId: string, clientSecret: string }} options
 */
export function createTokenEndpoint({ appUrl, clientId, clientSecret }) {
  const url = `${appUrl}/oauth/token`
  return {
    /**
     * @param {Record<string, string>} grant
     * @returns {Promise<any>} a token response that has an access token
     * @throws {TokenRefusal} and whatever `fetch` throws when there is no readable answer within 7 s
     */
    async request(grant) {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT),
        body: new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret }),
      })
      /** @type {any} */
      const body = await response.json()
      if (response.ok && textOf(body?.access_token)) return body
      throw new TokenRefusal(response.status < 500 ? textOf(body?.error) : undefined)
    },
  }
}
