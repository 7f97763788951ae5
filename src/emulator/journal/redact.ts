import type { Request } from '../../foundation/http/request.js'
import { unlessThrows } from '../../foundation/schema/unless-throws.js'
import { HIDDEN, type Redactor, redactName } from './known-secrets.js'

/** Names of fields, parameters, headers and claims with secrets, as `nameOf` writes them. control-api: "Journal" */
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

/** Returns one name for `X-Api-Key`, `apiKey` and `api_key`: a secret is one however its name is spelt. */
const nameOf = (field: string) => field.toLowerCase().replace(/^x-|[^a-z]/g, '')

const secretHeaders = /^(authorization|cookie|set-cookie|proxy-authorization|.+-signature)$/i
/** Headers whose value is a URL, in whose query a code may be. */
const addressHeaders = /^(location|referer)$/i

/** Returns true for the name of a secret. */
export const isSecretName = (name: string) => secretFields.has(nameOf(name)) || secretHeaders.test(name)

/** A value of `code` that is the code of an error: `500`, `42P01`, `ER_DUP_ENTRY`, `invalid-state`, `AccessDenied`. */
const errorCode = /^(?:[A-Z\d]{1,5}|[A-Z]+(?:_[A-Z]+)*|[a-z]+(?:[_./-][a-z]+)*|[A-Za-z][a-z]+(?:[A-Z][a-z]+)*)$/
/** The texts of no value, as programs print it, also after the scheme of an `Authorization` header. */
const nothing = /^$|^(?:(?:bearer|basic|token) +)?(?:undefined|null|none|nil|nan)$/i
const isSecret = (name: string, value: string) => isSecretName(name) && !nothing.test(value)

/** Returns true for a secret in a body, where `code` may be the code of an error. */
const isSecretInBody = (name: string, value: string) =>
  isSecret(name, value) && !(nameOf(name) === 'code' && errorCode.test(value))

/** Returns headers without secrets. @param redact applied to values whose names are not secret. */
export const redactHeaders = (
  headers: Request['headers'] | Record<string, string | string[] | undefined>,
  redact: Redactor,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      redactName(name, redact),
      isSecret(name, String(value))
        ? HIDDEN
        : redact(addressHeaders.test(name) ? redactAddress(String(value)) : String(value)),
    ]),
  )

/**
 * Returns a copy of a JSON value without secrets, also where a text in it is JSON, such as the body of a delivery.
 * @param redact applied to texts whose names are not secret.
 */
export function redactValue(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redactText(value, redact)
  if (Array.isArray(value)) return value.map((inner) => redactValue(inner, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      redactName(name, redact),
      isSecretInBody(name, String(inner)) ? HIDDEN : redactValue(inner, redact),
    ]),
  )
}

function redactText(text: string, redact: Redactor): string {
  if (!/^\s*[{[]/.test(text)) return redact(text)
  const value: unknown = unlessThrows(() => JSON.parse(text))
  // Truncated, which a fault may have done.
  if (value === undefined) return redact(redactNamed(text))
  const shown = JSON.stringify(redactValue(value, redact))
  return shown === JSON.stringify(value) ? text : shown
}

/** Returns the parameters of a query or form without secrets. @param redact as in `redactHeaders`. */
export const redactParameters = (parameters: URLSearchParams, redact: Redactor): Record<string, string> =>
  Object.fromEntries(
    [...parameters].map(([name, value]) => [redactName(name, redact), isSecret(name, value) ? HIDDEN : redact(value)]),
  )

/** Returns a query as it was sent, without secrets. @param redact as in `redactHeaders`. */
export const redactSearch = (search: string, redact: Redactor): string =>
  search
    .split('&')
    .map((pair) => {
      const sent = new URLSearchParams(pair)
      const shown = new URLSearchParams(redactParameters(sent, redact)).toString()
      return shown === sent.toString() ? pair : shown
    })
    .join('&')

/**
 * Returns a body without secrets: the value of JSON, the fields of a form, a form as text if it repeats a field, other
 * text, or the length and type of a binary body.
 * @param body as `truncateBody` returns it.
 * @param length of the whole body, in bytes.
 */
export function redactBody(
  body: string | Buffer | undefined,
  contentType: string,
  redact: Redactor,
  length = Buffer.byteLength(body ?? ''),
): unknown {
  if (length === 0) return null
  if (body === undefined || body.length === 0) return `[${length} bytes of ${redact(contentType) || 'unknown type'}]`
  const text = body.toString()
  if (Buffer.byteLength(body) < length) return redact(redactNamed(text))
  if (/x-www-form-urlencoded/i.test(contentType)) {
    const parameters = new URLSearchParams(text)
    const fields = redactParameters(parameters, redact)
    return parameters.size > Object.keys(fields).length ? redactSearch(text, redact) : fields
  }
  const isJson = /json/i.test(contentType) || (contentType === '' && /^\s*[{[]/.test(text))
  const shown: unknown = isJson ? unlessThrows(() => redactValue(JSON.parse(text), redact)) : undefined
  // Invalid JSON is shown as text.
  return shown === undefined ? redact(redactNamed(text)) : shown
}

/** A value under a name in text that is not parsed. Each pattern takes time proportional to the text's length. */
const namedValues = [
  // JSON, also within a text of JSON, whose last value may be truncated: `"code": "…"`, `\"code\":\"…\"`
  /(?<!\\)(\\{0,7}")([^"\\]{1,60})\1(\s{0,20}:\s{0,20}\1)([^"]*?)(?=\\{0,7}"|$)/g,
  // A field of an HTML form: `name="csrf" value="…"`
  /(\bname=["']?)([\w-]{1,60})(["']?\s{1,20}value=["']?)([^"'>]*)/gi,
  // An element of XML: `<code>…`
  /(<)([\w:-]{1,60})(>)([^<]*)/g,
  // Forms, headers, addresses, literals of programs: `code=…`, `code: …`, `code: '…'`
  /(?<![\w-])()([\w-]{1,60})(["']?\s{0,5}[:=]\s{0,5}["']?(?:(?:Bearer|Basic)\s{1,5})?)([^\s"'`&?#;,<>{}()[\]\\]+)/gi,
]

/** Returns a text without the values under secret names in it. */
export const redactNamed = (text: string): string =>
  namedValues.reduce(
    (left, pattern) =>
      left.replace(pattern, (whole, _, name: string, __, value: string) =>
        isSecretInBody(name, value) ? whole.slice(0, whole.length - value.length) + HIDDEN : whole,
      ),
    text,
  )

/** Returns a URL without the secrets in its query. */
function redactAddress(address: string): string {
  const question = address.indexOf('?')
  if (question < 0) return address
  return `${address.slice(0, question)}?${redactSearch(address.slice(question + 1), (value) => value)}`
}
