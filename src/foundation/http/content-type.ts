import type { Request } from './request.js'

/** The media types of bodies. Both are UTF-8. RFC 8259 §8.1, WHATWG URL §5 */
const types = {
  json: /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i,
  form: /^application\/x-www-form-urlencoded\s*(?:;|$)/i,
}

/** Returns the charset of a `Content-Type`; undefined when it names none, or UTF-8. */
export function charsetOf(type: string): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1]
  return charset === undefined || /^utf-?8$/i.test(charset) ? undefined : charset
}

/** Describes why a request's `Content-Type` is not `type` in UTF-8; undefined when it is. wire: §2 "statuses", §6 "token endpoint" */
export function contentTypeIssue(type: keyof typeof types, { headers }: Pick<Request, 'headers'>): string | undefined {
  const given = headers['content-type']?.trim() ?? ''
  if (given === '') return 'Content-Type is missing'
  if (!types[type].test(given)) return `Content-Type is ${given}`
  const charset = charsetOf(given)
  return charset === undefined ? undefined : `The charset is ${charset}, not UTF-8`
}

/** Describes why a request's `Content-Encoding` is refused; undefined without one: no coding is decoded. RFC 9110 §8.4 */
export function contentCodingIssue({ headers }: Pick<Request, 'headers'>): string | undefined {
  const coding = headers['content-encoding']?.trim() ?? ''
  if (coding === '' || /^identity$/i.test(coding)) return undefined
  return `Content-Encoding ${coding} is not supported: send the body uncompressed, without this header`
}
