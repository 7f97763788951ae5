/**
 * Returns the address to go to after a sign-in: one of this app, its start page when `text` leads anywhere else. It is
 * absolute, since a path such as `//host` would lead elsewhere.
 *
 * @param {unknown} text @param {string} origin of this app
 */
export function returnAddress(text, origin) {
  if (typeof text !== 'string' || !URL.canParse(text, origin)) return `${origin}/`
  const { origin: target, pathname, search, hash } = new URL(text, origin)
  return target === origin ? origin + pathname + search + hash : `${origin}/`
}
