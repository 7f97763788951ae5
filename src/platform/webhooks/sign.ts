import { createHmac } from 'node:crypto'

/** Lower-case hex HMAC-SHA256 of the raw body with the app's signing secret. spec: §6 rule 5, wire: §7 "headers" */
export const sign = (body: string | Buffer, signingSecret: string): string =>
  createHmac('sha256', signingSecret).update(body).digest('hex')

/** Returns the names of the two headers that a webhook carries, as sent. @param prefix the setting `header_prefix` */
export const headerNames = (prefix: string) => ({
  signature: `${prefix}-Signature`,
  idempotencyKey: `${prefix}-Idempotency-Key`,
})
