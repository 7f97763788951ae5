import type { Delivery } from './run-report.js'

/** Characters of a body that are kept, step by step as the whole has to become smaller. */
export const BODY_LIMITS = [16_384, 2_048, 256, 0] as const

type Body = { body: unknown; length?: number }

/** Returns one side of an exchange with the first `limit` characters of its body; JSON then becomes text. */
function shortenMessage<M extends Body | null>(message: M, limit: number): M {
  if (message === null || message.body === null || message.body === undefined) return message
  const { body } = message
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (text.length <= limit) return message
  return { ...message, body: limit === 0 ? null : text.slice(0, limit), length: message.length ?? text.length }
}

/** Returns an entry or an attempt with the first `limit` characters of each body. */
export const shortenSides = <T extends { request: Body; response: Body | null }>(exchange: T, limit: number): T => ({
  ...exchange,
  request: shortenMessage(exchange.request, limit),
  response: shortenMessage(exchange.response, limit),
})

/** Returns the delivery with the first `limit` characters of each body. */
export const shortenDelivery = (delivery: Delivery, limit: number): Delivery => ({
  ...delivery,
  attempts: delivery.attempts.map((attempt) => shortenSides(attempt, limit)),
})
