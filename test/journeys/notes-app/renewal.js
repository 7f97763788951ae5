import { textOf } from './text.js'

/**
 * Renews the credentials of an installation with its refresh token. Every refresh rotates it, so two at once would strand
 * the second: requests that meet a 401 together share one refresh, and its failure.
 *
 * @param {object} options
 * @param {ReturnType<typeof import('./token-endpoint.js').createTokenEndpoint>} options.tokenEndpoint
 * @param {ReturnType<typeof import('./installations.js').createInstallations>} options.installations
 */
export function createRenewal({ tokenEndpoint, installations }) {
  /** By installation: the refresh under way, and when the last one failed. @type {Map<string, Promise<boolean>>} */
  const underWay = new Map()
  /** @type {Map<string, number>} */
  const failedAt = new Map()

  /** @param {string} organization @param {string} id @param {import('./installations.js').Credentials} used */
  async function refresh(organization, id, used) {
    try {
      const { refresh_token } = used
      const fresh = await tokenEndpoint.request({ grant_type: 'refresh_token', refresh_token })
      const { access_token } = fresh
      const next = textOf(fresh.refresh_token) ?? refresh_token
      installations.replaceCredentials(organization, used, { access_token, refresh_token: next })
      return true
    } catch (error) {
      // Only `invalid_grant` is final. After anything else the tokens may work later, or a new install brings others.
      const isOver = error.code === 'invalid_grant'
      if (isOver) installations.replaceCredentials(organization, used, null)
      else failedAt.set(id, performance.now())
      return isOver
    }
  }

  /**
   * @param {string} organization @param {import('./installations.js').Installation} installation as the refused request knew it
   * @param {number} begun when the request was, by `performance.now()`
   * @returns {Promise<boolean>} true: look the installation up again; false: the token endpoint gives no answer
   */
  return async function renew(organization, { id, credentials }, begun) {
    if (!credentials || installations.of(organization)?.credentials !== credentials) return true
    if ((failedAt.get(id) ?? 0) > begun) return false
    const shared = underWay.get(id) ?? refresh(organization, id, credentials).finally(() => underWay.delete(id))
    underWay.set(id, shared)
    return shared
  }
}
