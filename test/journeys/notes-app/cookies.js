/**
 * This app's cookies: out of reach of scripts, not sent by other sites' forms, and on https bound to this very host, so
 * that no neighboring host can plant one.
 *
 * @param {string} origin of this app
 */
export function createCookies(origin) {
  const secure = origin.startsWith('https:')
  const nameOf = (name) => `${secure ? '__Host-' : ''}notes_${name}`
  /** @type {import('express').CookieOptions} */
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/' }

  return {
    /** @param {import('express').Request} request @param {string} name @returns {string | undefined} */
    read(request, name) {
      const start = `${nameOf(name)}=`
      const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim())
      return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
    },

    /** @param {import('express').Response} response @param {string} name @param {string} value @param {number} maxAge ms */
    set: (response, name, value, maxAge) => response.cookie(nameOf(name), value, { ...options, maxAge }),

    /** @param {import('express').Response} response @param {string} name */
    clear: (response, name) => response.clearCookie(nameOf(name), options),
  }
}
