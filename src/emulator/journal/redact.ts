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
    // Cut off, as a fault may have done it: nobody can say where a secret in it begins.
    const names = [...text.matchAll(/"([^"]+)"\s*:/g)].map(([, name]) => name as string)
    return names.some(isSecret) ? `[${text.length} characters that are not JSON]` : hide(text)
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
 * A body as the journal shows it: JSON and forms without secrets, other text as it is, HTML and bytes by their length.
 * @param hide takes the secrets out of what stands under other names.
 * @param length of the whole body, of which `body` may be the beginning.
 */
export function redactBody(
  body: string | Buffer | undefined,
  contentType: string,
  hide: Hide,
  length?: number,
): unknown {
  if (body === undefined || body.length === 0) return null
  const text = body.toString()
  const whole = length ?? Buffer.byteLength(body)
  const isCut = Buffer.byteLength(body) < whole
  if (/json/i.test(contentType)) {
    if (isCut) return hide(redactBeginning(text))
    try {
      return redactValue(JSON.parse(text), hide)
    } catch {
      return `[${text.length} characters that are not JSON]`
    }
  }
  if (/x-www-form-urlencoded/i.test(contentType)) return redactParameters(new URLSearchParams(text), hide)
  return `[${whole} bytes of ${hide(contentType) || 'unknown type'}]`
}

/** The beginning of a JSON text, without the texts that stand under secret names, in JSON within its texts too. */
const redactBeginning = (text: string): string =>
  text.replace(
    /(?<!\\)(\\*")([^"\\]+)\1(\s*:\s*)\1((?:(?!\1)[\s\S])*)(\1|$)/g,
    (whole, quote: string, name: string, colon: string) =>
      isSecret(name) ? `${quote}${name}${quote}${colon}${quote}${HIDDEN}${quote}` : whole,
  )

/** An address without the secrets in its query. */
function redactAddress(address: string): string {
  const question = address.indexOf('?')
  if (question < 0) return address
  const query = redactParameters(new URLSearchParams(address.slice(question + 1)), (value) => value)
  return `${address.slice(0, question)}?${new URLSearchParams(query)}`
}
