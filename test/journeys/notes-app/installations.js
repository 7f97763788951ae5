/**
 * The organizations that have the app, with their credentials, by organization id. In memory: a real app keeps them in
 * its database, the tokens encrypted.
 *
 * @typedef {object} Installation
 * @property {string} id
 * @property {string} name of the organization
 * @property {string} installer
 * @property {Credentials} credentials
 *
 * @typedef {object} Credentials
 * @property {string} access_token
 * @property {string} refresh_token
 * @property {number} expires_at milliseconds since 1970
 */
export function createInstallations() {
  /** @type {Map<string, Installation>} */
  const byOrganization = new Map()
  return {
    /** @param {string} organization */
    of: (organization) => byOrganization.get(organization),

    /** @param {string} organization @param {Installation} installation */
    put: (organization, installation) => byOrganization.set(organization, installation),

    /** Stores what a token response holds. @param {string} organization @param {any} response */
    putCredentials(organization, response) {
      const installation = byOrganization.get(organization)
      if (installation) byOrganization.set(organization, { ...installation, credentials: credentialsOf(response) })
    },

    /** Forgets an organization, unless it has installed the app anew meanwhile. */
    purge(organization, id) {
      if (byOrganization.get(organization)?.id === id) byOrganization.delete(organization)
    },
  }
}

/** @returns {Credentials} */
export const credentialsOf = ({ access_token, refresh_token, expires_in }) => ({
  access_token,
  refresh_token,
  expires_at: Date.now() + expires_in * 1000,
})
