/**
 * The platform's public API on behalf of an organization. A token is refreshed when the platform has answered 401, once,
 * and never before: every refresh rotates the refresh token, so refreshing early only makes races. For the same reason
 * requests that meet a 401 together share one refresh.
 */
export function createPlatform({ baseUrl, appUrl, clientId, clientSecret, installations }) {
  /** The refresh under way, by organization. */
  const refreshing = new Map()

  const call = async (path, accessToken) => {
    const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${accessToken}` } })
    return { status: response.status, body: await response.json() }
  }

  /** @returns {Promise<boolean>} false when the platform takes the refresh token no more: only a reinstall helps */
  const refresh = async (organization, { refresh_token }) => {
    const response = await fetch(`${appUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token,
        client_id: clientId,
        client_secret: clientSecret,
      }),
    })
    if (!response.ok) return false
    installations.putCredentials(organization, await response.json())
    return true
  }

  const refreshOnce = (organization, credentials) => {
    const underWay = refreshing.get(organization)
    if (underWay) return underWay
    const begun = refresh(organization, credentials).finally(() => refreshing.delete(organization))
    refreshing.set(organization, begun)
    return begun
  }

  return {
    /** @returns the platform's status and body; undefined where the app is not installed */
    async get(organization, path) {
      const installation = installations.of(organization)
      if (!installation) return undefined
      const { credentials } = installation
      const answer = await call(path, credentials.access_token)
      if (answer.status !== 401) return answer

      // Another request may have brought new credentials while this one was under way.
      const isStale = installations.of(organization)?.credentials === credentials
      if (isStale && !(await refreshOnce(organization, credentials))) return answer
      const renewed = installations.of(organization)
      return renewed ? call(path, renewed.credentials.access_token) : undefined
    },
  }
}
