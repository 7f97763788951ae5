import { isUtf8 } from 'node:buffer'
import type { GivenMessage, Message } from '../world/exchange.js'

/** Bytes of a body that are kept. control-api: "Journal" */
const KEPT = 64 * 1024

const textual =
  /^\s*(?:text\/|application\/(?:[^;]*[/+])?(?:json|xml|javascript|x-www-form-urlencoded)\b|[^;]*\+(?:json|xml)\b)/i

/**
 * One side of an exchange as it is kept, in memory of its own: the beginning of a textual body, nothing of a binary one.
 * A body without a type is textual when it is UTF-8. dev: "Why, for webhooks as for requests"
 */
export function kept({ headers, body = '', length }: GivenMessage): Message {
  const size = Buffer.byteLength(body)
  if (size === 0) return { headers, body: undefined, length: length ?? 0 }
  const beginning = size <= KEPT ? body : beginningOf(Buffer.from(body))
  const isText = typeof beginning === 'string' || typeof body === 'string' || isTextual(headers, beginning)
  return { headers, body: isText ? beginning : undefined, length: length ?? size }
}

function isTextual(headers: Message['headers'], beginning: Buffer): boolean {
  const type = String(headers['content-type'] ?? '')
  return type === '' ? isUtf8(beginning) : textual.test(type)
}

/** A copy, since a slice would keep the whole alive; it ends with a whole character. */
function beginningOf(body: Buffer): Buffer {
  let end = KEPT
  while (end > KEPT - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end--
  return Buffer.from(body.subarray(0, end))
}
