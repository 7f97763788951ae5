import { domainToASCII } from 'node:url'

/**
 * Returns the redirect URI with parameters added to its query, as a `Location` may hold it: a host outside of ASCII is
 * in Punycode, everything else that is not printable ASCII is percent-encoded, so nothing in it can end the header.
 * @param state the raw text of the request's `state`, echoed byte for byte; undefined when it has none. spec: §4.8
 */
export function callbackUrl(redirect_uri: string, parameters: Record<string, string>, state: string | undefined) {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  if (state !== undefined) pairs.push(`state=${state.replace(UNSAFE_IN_QUERY, percentByte)}`)
  const joint = !redirect_uri.includes('?') ? '?' : /[?&]$/.test(redirect_uri) ? '' : '&'
  return asciiOf(redirect_uri) + joint + pairs.join('&')
}

/** Returns the raw text of a query parameter that has a value, as it was sent; undefined when it is absent. A request's text is Latin-1: a character is a byte. */
export function rawParameter(search: string, name: string): string | undefined {
  for (const pair of search.split('&')) {
    const equals = pair.indexOf('=')
    const rawName = equals < 0 ? pair : pair.slice(0, equals)
    if (new URLSearchParams(`${rawName}=`).has(name)) return pair.slice(equals + 1)
  }
  return undefined
}

/** Characters that a browser would change in a query, or that a header may not hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const UNSAFE_IN_QUERY = /[\x00-\x20"#<>\\^`{|}\x7f-\xff]/g

const percentByte = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

const asciiOf = (uri: string) =>
  uri
    .replace(/^(https?:\/\/(?:[^@/?#\\]*@)?)([^:/?#\\[]+)/i, (_, before, host) => before + domainToASCII(host))
    .replace(/[^\x21-\x7e]+/g, (text) =>
      [...Buffer.from(text, 'utf8')].map((byte) => percentByte(String.fromCharCode(byte))).join(''),
    )
