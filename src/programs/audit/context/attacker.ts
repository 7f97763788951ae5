import { randomBytes } from 'node:crypto'
import type { GuardedClient, GuardedExchange, GuardedRequest } from '../../../foundation/http-client/guarded-client.js'
import { headerNames, sign as signatureOf } from '../../../platform/webhooks/sign.js'
import { atPointer } from '../app/app-response.js'
import type { AppUnderTest } from '../app/app-under-test.js'
import type { Secrets } from '../app/secrets.js'

/** Longer than any window of the platform, shorter than a run. */
const TIMEOUT_MS = 15_000

type Webhook = { body: string | Buffer; signature?: string | undefined; key?: string | undefined }

/** Sends raw requests to the webhook and the callback of the app. @param prefix of the platform's headers. wire: §7 "headers" */
export function createAttacker(client: GuardedClient, app: AppUnderTest, secrets: Secrets, prefix: string) {
  const names = headerNames(prefix)

  function sign(body: string | Buffer, secret = app.signingSecret): string {
    const signature = signatureOf(body, secret)
    secrets.addSignature(signature, { body, key: secret === app.signingSecret ? undefined : secret })
    return signature
  }

  /** Posts to the webhook as the platform would. Without a signature, that header is left out. @param key of another request. */
  const post = ({ body, signature, key = keyOf(body) }: Webhook): Promise<GuardedExchange> =>
    send({
      method: 'POST',
      url: app.webhook,
      headers: {
        'content-type': 'application/json',
        ...(signature !== undefined && { [names.signature.toLowerCase()]: signature }),
        [names.idempotencyKey.toLowerCase()]: key,
      },
      body,
    })

  const send = (request: Omit<GuardedRequest, 'timeout'>): Promise<GuardedExchange> =>
    client({ ...request, timeout: TIMEOUT_MS })

  return { sign, post, postSigned: (body: string, key?: string) => post({ body, signature: sign(body), key }), send }
}

/** Returns the key of a delivery, which is the id of its event; a fresh one where the body has none. wire: §7 "headers" */
function keyOf(body: string | Buffer): string {
  const id = atPointer(String(body), '/id')
  return typeof id === 'string' ? id : freshKey()
}

export const freshKey = (): string => `evt_${randomBytes(12).toString('hex')}`
