/**
 * Where to go after signing in: an address of this app, its start page when `text` leads anywhere else. Absolute, as a
 * path such as `//host` would lead elsewhere.
 *
 * @param {unknown} text @param {string} origin of this app
 */
export function returnAddress(text, origin) {
  if (typeof text !== 'string' || !URL.canParse(text, origin)) return `${origin}/`
  const { origin: target, pathname, search, hash } = new URL(text, origin)
  return target === origin ? origin + pathname + search + hash : `${origin}/`
}
