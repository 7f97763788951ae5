/**
 * The organizations that have the app, and what is remembered of those that had it. Events arrive late, twice and out of
 * order, so they are told apart by what the signature covers: the event's `id`, its `created_at`, its `installation_id`.
 *
 * @typedef {object} Credentials
 * @property {string} access_token
 * @property {string} refresh_token
 *
 * @typedef {object} Installation
 * @property {string} id
 * @property {string} name of the organization
 * @property {string | undefined} installer whose user id (`sub`) it is
 * @property {Credentials | null} credentials null: none were given, or the platform takes them no more
 *
 * @typedef {object} History of one organization
 * @property {number} changed_at of the newest event that counted, in ms since 1970
 * @property {string[]} events ids of the newest events, oldest first
 * @property {string[]} ended ids of the newest installations that are over, oldest first
 * @property {Installation | null} installation
 *
 * @typedef {object} Lifecycle what every event says of itself
 * @property {string} event its id
 * @property {string} installation its id
 * @property {string} organization its id
 * @property {number} at ms since 1970
 */

const REMEMBERED = 50

/** @param {{ read(): any, write(value: unknown): void }} file */
export function createInstallations(file) {
  /** @type {Map<string, History>} */
  const histories = new Map(file.read() ?? [])

  /** @param {string} organization @returns {History} */
  const historyOf = (organization) =>
    histories.get(organization) ?? { changed_at: 0, events: [], ended: [], installation: null }

  /**
   * On disk first: what fails there has not happened, and the platform sends the event again.
   * @param {Lifecycle} event @param {string | undefined} over the installation that this ends
   * @param {Installation | null} installation
   */
  function put({ event, organization, at }, over, installation) {
    const { changed_at, events, ended } = historyOf(organization)
    const history = {
      changed_at: Math.max(changed_at, at),
      events: [...events, event].slice(-REMEMBERED),
      ended: (over === undefined ? ended : [...ended, over]).slice(-REMEMBERED),
      installation,
    }
    file.write([...new Map(histories).set(organization, history)])
    histories.set(organization, history)
  }

  return {
    /** @param {string} organization @returns {Installation | null} */
    of: (organization) => histories.get(organization)?.installation ?? null,

    /** Nothing that is over, or older than what is known, comes back. @param {Lifecycle} event @param {Installation} installation */
    installed(event, installation) {
      const history = historyOf(event.organization)
      const isOver = history.ended.includes(installation.id) || event.at < history.changed_at
      if (history.events.includes(event.event) || isOver) return
      const replaced = history.installation?.id
      put(event, replaced === installation.id ? undefined : replaced, installation)
    },

    /** Ends its own installation and older ones; one that was made meanwhile stays. @param {Lifecycle} event */
    uninstalled(event) {
      const { events, changed_at, installation } = historyOf(event.organization)
      if (events.includes(event.event)) return
      const purges = installation?.id === event.installation || event.at > changed_at
      put(event, event.installation, purges ? null : installation)
    },

    /**
     * After a refresh, unless the installation has come to an end or to new credentials meanwhile.
     * @param {string} organization @param {Credentials} used @param {Credentials | null} fresh
     */
    replaceCredentials(organization, used, fresh) {
      const history = histories.get(organization)
      if (!history?.installation || history.installation.credentials !== used) return
      // In memory first: the old refresh token is used up, whatever the disk says.
      histories.set(organization, { ...history, installation: { ...history.installation, credentials: fresh } })
      file.write([...histories])
    },
  }
}
