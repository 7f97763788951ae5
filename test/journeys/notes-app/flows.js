import { randomBytes } from 'node:crypto'

/** Ms; and how many are kept at once, of a browser and in all. */
const LIFETIME = 600_000
const MOST_OF_BROWSER = 10
const MOST_BROWSERS = 10_000

const secret = () => randomBytes(32).toString('base64url')

/**
 * @typedef {object} Flow a sign-in that has been begun
 * @property {string} nonce
 * @property {string} verifier
 * @property {string} returnTo an address of this app
 * @property {string | undefined} organization
 * @property {boolean} silent
 */

/**
 * Sign-ins under way. Each belongs to the browser that began it, known by a cookie, and is looked up among that browser's
 * alone: a state and a code that somebody else has obtained are worth nothing in it. Each can be taken once.
 */
export function createFlows() {
  /** By browser, then by state. @type {Map<string, Map<string, Flow & { until: number }>>} the one that began last at the end */
  const browsers = new Map()

  return {
    /**
     * @param {string | undefined} cookie a browser's, kept as long as it has sign-ins under way
     * @param {Pick<Flow, 'returnTo' | 'organization' | 'silent'>} request
     * @returns {{ browser: string, state: string, nonce: string, verifier: string }} `browser` is its cookie from now on
     */
    begin(cookie, request) {
      const known = cookie === undefined ? undefined : browsers.get(cookie)
      const browser = cookie !== undefined && known ? cookie : secret()
      const flows = known ?? new Map()
      const [state, nonce, verifier] = [secret(), secret(), secret()]
      flows.set(state, { ...request, nonce, verifier, until: Date.now() + LIFETIME })
      dropOldest(flows, MOST_OF_BROWSER)
      browsers.delete(browser)
      browsers.set(browser, flows)
      dropOldest(browsers, MOST_BROWSERS)
      return { browser, state, nonce, verifier }
    },

    /** @param {string | undefined} browser @param {string | undefined} state @returns {Flow | undefined} */
    take(browser, state) {
      if (browser === undefined || state === undefined) return undefined
      const flows = browsers.get(browser)
      const flow = flows?.get(state)
      flows?.delete(state)
      if (flows?.size === 0) browsers.delete(browser)
      return flow && flow.until > Date.now() ? flow : undefined
    },

    /** Returns true if a browser has sign-ins under way. @param {string} browser */
    has: (browser) => browsers.has(browser),
  }
}

/** @param {Map<string, unknown>} map in order of age @param {number} most */
function dropOldest(map, most) {
  for (const key of map.keys()) {
    if (map.size <= most) break
    map.delete(key)
  }
}
