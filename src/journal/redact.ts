import type { Request } from '../request.js'

const HIDDEN = '[redacted]'

/** Names of body fields, form fields, query parameters and claims that hold a secret. control-api: "Journal" */
const secretFields = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'signing_secret',
  'api_key',
  'code',
  'code_verifier',
  'admin_token',
  'csrf',
  'cookie',
  'token',
  'secret',
  'private_jwk',
])

const secretHeaders = /^(authorization|cookie|set-cookie|proxy-authorization|.+-signature)$/i
/** They hold an address, whose query may have a code in it. */
const addressHeaders = /^(location|referer)$/i

export const redactHeaders = (
  headers: Request['headers'] | Record<string, string | string[] | undefined>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.test(name) ? HIDDEN : addressHeaders.test(name) ? redactAddress(String(value)) : String(value),
    ]),
  )

/** A copy of a JSON value without the secrets in it. */
export function redactValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretFields.has(name) && inner !== null
        ? HIDDEN
        : textFields.has(name) && typeof inner === 'string'
          ? redactText(inner)
          : redactValue(inner),
    ]),
  )
}

/** Fields that hold a message as it was sent, and so JSON within JSON: a delivery's, an inbox's. */
const textFields = new Set(['body', 'raw'])

const redactText = (text: string): string => {
  if (!text.startsWith('{')) return text
  const shown = redactBody(text, 'application/json')
  return typeof shown === 'string' ? shown : JSON.stringify(shown)
}

export const redactParameters = (parameters: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...parameters].map(([name, value]) => [name, secretFields.has(name) ? HIDDEN : value]))

/** A body as the journal shows it: JSON and forms without secrets, other text as it is, HTML and bytes by their length. */
export function redactBody(body: string | Buffer | object | undefined, contentType: string): unknown {
  if (body === undefined || body === '') return null
  if (typeof body === 'object' && !Buffer.isBuffer(body)) return redactValue(body)
  const text = body.toString()
  if (text === '') return null
  if (/json/i.test(contentType)) {
    try {
      return redactValue(JSON.parse(text))
    } catch {
      return `[${text.length} characters that are not JSON]`
    }
  }
  if (/x-www-form-urlencoded/i.test(contentType)) return redactParameters(new URLSearchParams(text))
  return `[${Buffer.byteLength(text)} bytes of ${contentType || 'unknown type'}]`
}

/** An address without the secrets in its query. */
function redactAddress(address: string): string {
  const question = address.indexOf('?')
  if (question < 0) return address
  return `${address.slice(0, question)}?${new URLSearchParams(redactParameters(new URLSearchParams(address.slice(question + 1))))}`
}
