import { setTimeout as delay } from 'node:timers/promises'
import { textOf } from './text.js'

/** For one request to the platform, and for all that one of ours needs, in ms. */
const TIMEOUT = 5_000
const DEADLINE = 20_000
/** Tries of a request that got no usable answer, and the longest first wait between them in ms; it doubles. */
const TRIES = 3
const WAIT = 200
/** Seconds to keep still after a 429 that does not say how long. */
const PAUSE = 5

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {any} body
 * @property {number} [retryAfter] seconds
 */

/** This app's own responses, for requests that the platform does not answer. */
const notInstalled = { status: 404, body: { error: 'The app is not installed in this organization' } }
const withoutAccess = { status: 409, body: { error: 'The app has no access to this organization: install it again' } }
const refused = { status: 502, body: { error: 'The platform refuses a token that it has just issued' } }
const unavailable = { status: 503, body: { error: 'The platform cannot be reached: try again later' } }

/**
 * The platform's public API on behalf of an organization. A token is refreshed when the platform has answered 401, once,
 * and never before.
 *
 * @param {object} options
 * @param {string} options.baseUrl
 * @param {ReturnType<typeof import('./installations.js').createInstallations>} options.installations
 * @param {ReturnType<typeof import('./renewal.js').createRenewal>} options.renew
 */
export function createPlatform({ baseUrl, installations, renew }) {
  /** Organizations that the platform has asked to keep still. @type {Map<string, { until: number, status: number }>} */
  const pauses = new Map()

  /** @param {string} organization @param {string} path @param {AbortSignal} deadline @returns {Promise<Answer>} */
  async function get(organization, path, deadline) {
    const begun = performance.now()
    let isRenewed = false
    for (let failures = 0; failures < TRIES && !deadline.aborted; ) {
      // Looked up for every try: an uninstall or an upgrade may have come meanwhile.
      const installation = installations.of(organization)
      if (!installation) return notInstalled
      if (!installation.credentials) return withoutAccess
      const pause = pauses.get(organization)
      if (pause && pause.until > Date.now()) return keepStill(pause)

      const answer = await call(path, installation.credentials.access_token, deadline)
      if (answer?.retryAfter !== undefined) {
        const asked = { until: Date.now() + answer.retryAfter * 1000, status: answer.status }
        pauses.set(organization, asked)
        return keepStill(asked)
      }
      if (answer?.status === 401) {
        if (isRenewed) return refused
        if (!(await renew(organization, installation, begun))) return unavailable
        isRenewed = true
      } else if (answer) {
        return answer
      } else {
        failures += 1
        if (failures < TRIES) await delay(WAIT * 2 ** (failures - 1) * (0.5 + Math.random() / 2))
      }
    }
    return unavailable
  }

  /** One request. @returns {Promise<Answer | undefined>} undefined when there is no usable answer */
  async function call(path, accessToken, deadline) {
    try {
      const response = await fetch(baseUrl + path, {
        headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.any([deadline, AbortSignal.timeout(TIMEOUT)]),
      })
      const { status } = response
      const body = await response.json().catch(() => undefined)
      const retryAfter = secondsToWait(response)
      if (retryAfter !== undefined) return { status, body, retryAfter }
      if (status >= 500 || (response.ok && body === undefined)) return undefined
      return { status, body: body ?? { error: `The platform answered ${status}` } }
    } catch {
      return undefined
    }
  }

  return {
    /** The platform's answer as it is. @param {string} organization @param {string} path @returns {Promise<Answer>} */
    get: (organization, path) => get(organization, path, AbortSignal.timeout(DEADLINE)),

    /** The items of every page; of a list that breaks off, nothing. @param {string} organization @param {string} path @returns {Promise<Answer>} */
    async list(organization, path) {
      const deadline = AbortSignal.timeout(DEADLINE)
      const items = []
      const pages = new Set([''])
      for (const page of pages) {
        const answer = await get(organization, page ? `${path}?page=${encodeURIComponent(page)}` : path, deadline)
        if (answer.status !== 200) return answer
        const { data, next } = answer.body?.payload ?? {}
        if (!Array.isArray(data)) return unavailable
        items.push(...data)
        // A Set is gone through in the order of adding, and a page that comes again is not added.
        if (textOf(next)) pages.add(next)
      }
      return { status: 200, body: items }
    },
  }
}

/** @param {{ until: number, status: number }} pause @returns {Answer} */
const keepStill = ({ until, status }) => ({
  status,
  body: { error: 'The platform has asked for a pause: try again later' },
  retryAfter: Math.ceil((until - Date.now()) / 1000),
})

/** RFC 9110 §10.2.3: seconds or a date. @param {Response} response @returns {number | undefined} undefined when there is nothing to wait for */
function secondsToWait({ status, headers }) {
  const given = headers.get('retry-after')
  if (status !== 429 && (status < 500 || given === null)) return undefined
  const seconds = Number(given ?? PAUSE)
  const untilDate = (Date.parse(given ?? '') - Date.now()) / 1000
  return [seconds, untilDate].find((wait) => wait >= 0) ?? PAUSE
}
