import type { Message } from '../world/exchange.js'

/** Bytes of a body that the journal keeps. control-api: "Journal" */
const KEPT = 64 * 1024

/** One side of an exchange as the journal keeps it: at most so much of its body, in memory of its own. */
export function kept({ headers, body }: Pick<Message, 'headers' | 'body'>): Message {
  if (body === undefined || body.length === 0) return { headers, body: undefined, length: 0 }
  const length = Buffer.byteLength(body)
  if (length <= KEPT) return { headers, body, length }
  // A slice would keep the whole alive.
  const start = typeof body === 'string' ? Buffer.from(body).subarray(0, KEPT) : body.subarray(0, KEPT)
  return { headers, body: Buffer.from(start), length }
}
