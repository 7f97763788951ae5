import type { Request } from '../../foundation/http/request.js'
import { HIDDEN, type Hide, hideInName } from './known-secrets.js'

/**
 * Names of body fields, form fields, query parameters, headers and claims that hold a secret, as `nameOf` writes them:
 * a client that spells one wrong has sent its secret all the same. control-api: "Journal"
 */
const secretFields = new Set([
  'authtoken',
  'key',
  'password',
  'assertion',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'idtokenhint',
  'clientsecret',
  'clientassertion',
  'signingsecret',
  'apikey',
  'code',
  'codeverifier',
  'admintoken',
  'csrf',
  'cookie',
  'token',
  'secret',
  'privatejwk',
])

/** `X-Api-Key`, `apiKey` and `api_key` are one name. */
const nameOf = (field: string) => field.toLowerCase().replace(/^x-|[^a-z]/g, '')

const secretHeaders = /^(authorization|cookie|set-cookie|proxy-authorization|.+-signature)$/i
/** They hold an address, whose query may have a code in it. */
const addressHeaders = /^(location|referer)$/i

/** Whether what stands under a name is a secret. */
export const isSecret = (name: string) => secretFields.has(nameOf(name)) || secretHeaders.test(name)

/** @param hide takes the secrets out of what stands under other names. */
export const redactHeaders = (
  headers: Request['headers'] | Record<string, string | string[] | undefined>,
  hide: Hide,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      hideInName(name, hide),
      isSecret(name) ? HIDDEN : hide(addressHeaders.test(name) ? redactAddress(String(value)) : String(value)),
    ]),
  )

/**
 * A copy of a JSON value without the secrets in it, nor in JSON that a text of it holds: a delivery's body, say.
 * @param hide takes the secrets out of what stands under other names.
 */
export function redactValue(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return redactText(value, hide)
  if (Array.isArray(value)) return value.map((inner) => redactValue(inner, hide))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      hideInName(name, hide),
      isSecret(name) && inner !== null ? HIDDEN : redactValue(inner, hide),
    ]),
  )
}

function redactText(text: string, hide: Hide): string {
  if (!/^\s*[{[]/.test(text)) return hide(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Cut off, as a fault may have done it.
    return hide(redactNamed(text))
  }
  const shown = JSON.stringify(redactValue(value, hide))
  return shown === JSON.stringify(value) ? text : shown
}

/** @param hide takes the secrets out of what stands under other names. */
export const redactParameters = (parameters: URLSearchParams, hide: Hide): Record<string, string> =>
  Object.fromEntries(
    [...parameters].map(([name, value]) => [hideInName(name, hide), isSecret(name) ? HIDDEN : hide(value)]),
  )

/**
 * A body as the journal shows it, without secrets: JSON and forms as what they hold, other text as it is, what is binary
 * by its length and type.
 * @param body as `kept` leaves it.
 * @param hide takes the secrets out of what stands under other names.
 * @param length of the whole body, in bytes.
 */
export function redactBody(
  body: string | Buffer | undefined,
  contentType: string,
  hide: Hide,
  length = Buffer.byteLength(body ?? ''),
): unknown {
  if (length === 0) return null
  if (body === undefined || body.length === 0) return `[${length} bytes of ${hide(contentType) || 'unknown type'}]`
  const text = body.toString()
  if (Buffer.byteLength(body) < length) return hide(redactNamed(text))
  if (/x-www-form-urlencoded/i.test(contentType)) return redactParameters(new URLSearchParams(text), hide)
  const isJson = /json/i.test(contentType) || (contentType === '' && /^\s*[{[]/.test(text))
  try {
    if (isJson) return redactValue(JSON.parse(text), hide)
  } catch {
    // Shown as the text that it is.
  }
  return hide(redactNamed(text))
}

/** Where text that is not read as a whole has a value under a name. Each takes time that goes by the text's length. */
const namedValues = [
  // JSON, also within a text of JSON, whose last value may be cut off: `"code": "…"`, `\"code\":\"…\"`
  /(?<!\\)(\\{0,7}")([^"\\]{1,60})\1(\s{0,20}:\s{0,20}\1)([^"]*?)(?=\\{0,7}"|$)/g,
  // A field of an HTML form: `name="csrf" value="…"`
  /(\bname=["']?)([\w-]{1,60})(["']?\s{1,20}value=["']?)([^"'>]*)/gi,
  // An element of XML: `<code>…`
  /(<)([\w:-]{1,60})(>)([^<]*)/g,
  // Forms, headers, addresses, literals of programs: `code=…`, `code: …`, `code: '…'`
  /(?<![\w-])()([\w-]{1,60})(["']?\s{0,5}[:=]\s{0,5}["']?(?:(?:Bearer|Basic)\s{1,5})?)([^\s"'`&?#;,<>{}()[\]\\]+)/gi,
]

/** A text without the values that stand under secret names in it. */
const redactNamed = (text: string): string =>
  namedValues.reduce(
    (left, pattern) =>
      left.replace(pattern, (whole, _, name: string, __, value: string) =>
        isSecret(name) && value !== '' ? whole.slice(0, whole.length - value.length) + HIDDEN : whole,
      ),
    text,
  )

/** An address without the secrets in its query. */
function redactAddress(address: string): string {
  const question = address.indexOf('?')
  if (question < 0) return address
  const query = redactParameters(new URLSearchParams(address.slice(question + 1)), (value) => value)
  return `${address.slice(0, question)}?${new URLSearchParams(query)}`
}
