import { randomBytes } from 'node:crypto'
import type { Wire, WireExchange, WireRequest } from '../../../control/client/wire.js'
import type { AppUnderTest } from '../app-under-test.js'

/** Longer than any window of the platform, shorter than a run. */
const PATIENCE = 15_000

export interface PostOptions {
  body: string | Buffer
  /** Undefined: no signature header. */
  signature?: string | undefined
  /** A fresh one when left out. */
  key?: string
}

/** Whoever else can reach the app: raw requests to its webhook and callback. */
export type Attacker = ReturnType<typeof createAttacker>

/** @param prefix of the platform's headers. wire: §7 "headers" */
export const createAttacker = (wire: Wire, app: AppUnderTest, prefix: string) => ({
  /** A POST to the webhook, as the platform would send it but for what the options say. */
  post: ({ body, signature, key = `evt_${randomBytes(12).toString('hex')}` }: PostOptions): Promise<WireExchange> =>
    wire({
      method: 'POST',
      url: app.webhook,
      headers: {
        'content-type': 'application/json',
        ...(signature !== undefined && { [`${prefix}-Signature`.toLowerCase()]: signature }),
        [`${prefix}-Idempotency-Key`.toLowerCase()]: key,
      },
      body,
      timeout: PATIENCE,
    }),

  send: (sending: Omit<WireRequest, 'timeout'>): Promise<WireExchange> => wire({ ...sending, timeout: PATIENCE }),
})
