import { randomBytes } from 'node:crypto'

/** Ms; as many as are kept at once. */
const LIFETIME = 3_600_000
const MOST = 10_000

/**
 * @typedef {object} User
 * @property {string} sub the key that links whatever is kept of a user: an email can change
 * @property {string | undefined} name
 * @property {string | undefined} email
 */

/** This app's own sessions, short and in memory: after a restart people sign in again, in silence as a rule. */
export function createSessions() {
  /** @type {Map<string, { user: User, until: number }>} the oldest first */
  const sessions = new Map()

  return {
    /** @param {User} user @returns {string} the session's secret, a new one every time */
    start(user) {
      for (const [id, { until }] of sessions) {
        if (until > Date.now() && sessions.size < MOST) break
        sessions.delete(id)
      }
      const id = randomBytes(32).toString('base64url')
      sessions.set(id, { user, until: Date.now() + LIFETIME })
      return id
    },

    /** @param {string | undefined} id @returns {User | undefined} */
    of(id) {
      const session = id === undefined ? undefined : sessions.get(id)
      return session && session.until > Date.now() ? session.user : undefined
    },

    /** @param {string | undefined} id */
    end(id) {
      if (id !== undefined) sessions.delete(id)
    },
  }
}
