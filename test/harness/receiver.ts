import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { serve } from './serve.js'

/** One request that an app has received. */
export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  raw: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire holds, and fails where it is not there
  body: any
  type: string | undefined
  /** Checks the signature: HMAC-SHA256 of the raw body with this secret. */
  isSignedWith(secret: string): boolean
}

type Behavior = (received: Received, response: ServerResponse) => void | Promise<void>

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** An app's webhook endpoint until the test is finished: a real server, that answers 200 until told otherwise. */
export async function startReceiver() {
  const requests: Received[] = []
  const arrivals = new Set<() => void>()
  let behave: Behavior = (_, response) => void response.writeHead(200).end()

  const { url, port, close } = await serve(async (request, response) => {
    const raw = await buffer(request).catch(() => undefined)
    if (raw === undefined) return
    const received = read(request, raw)
    requests.push(received)
    for (const arrived of arrivals) arrived()
    await behave(received, response)
  })

  const ofType = (type?: string) => requests.filter((request) => type === undefined || request.type === type)

  return {
    port,
    url: `${url}/webhook`,
    /** Every request, or those of one event type, in the order of arrival. */
    received: ofType,
    types: () => requests.map(({ type }) => type),
    answers(status: number, headers: Record<string, string> = {}) {
      behave = (_, response) => void response.writeHead(status, headers).end()
    },
    neverAnswers() {
      behave = () => {}
    },
    handles(behavior: Behavior) {
      behave = behavior
    },
    /** Resolves when that many requests of a type have arrived. */
    async arrival(type: string | undefined, count = 1): Promise<Received[]> {
      while (ofType(type).length < count) {
        await new Promise<void>((resolve) => {
          const arrived = () => {
            arrivals.delete(arrived)
            resolve()
          }
          arrivals.add(arrived)
        })
      }
      return ofType(type)
    },
    forget: () => void requests.splice(0),
    close,
  }
}

function read(request: IncomingMessage, raw: Buffer): Received {
  let body: unknown
  try {
    body = JSON.parse(raw.toString())
  } catch {
    body = undefined
  }
  const signature = request.headers['platform-signature']
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    raw,
    body,
    type: (body as { type?: string } | undefined)?.type,
    isSignedWith: (secret) => signature === signatureOf(raw, secret),
  }
}

/** The signature of a body, as the platform makes it. */
export const signatureOf = (body: string | Buffer, secret = 'notes_signing') =>
  createHmac('sha256', secret).update(body).digest('hex')
