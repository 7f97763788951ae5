import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Emulator, startEmulator } from 'mockademy'
import { test as base } from '../harness/command-line.js'
import { signatureOf } from '../harness/receiver.js'
import { serve } from '../harness/serve.js'

export const SECRET = 'signing_secret_of_the_small_app'

export interface SmallApp {
  /** Address of the emulator that knows it. */
  emulator: Emulator
  /** Sets the webhook's handler, which gets the result of the signature check and the body. */
  behaves(behavior: (isGenuine: boolean, response: ServerResponse, body: string) => void): void
}

/** An app that is a webhook and nothing more, in this process, beside an emulator that knows it as `small`. */
export const test = base.extend<{ app: SmallApp }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its first parameter
  app: async ({}, use) => {
    let behave: Parameters<SmallApp['behaves']>[0] = (isGenuine, response) =>
      void response.writeHead(isGenuine ? 200 : 401).end()
    const { url } = await serve(async (request, response) => {
      const body = await buffer(request)
      behave(isGenuine(request, body), response, String(body))
    })
    await using emulator = await startEmulator({ now: new Date().toISOString() })
    await emulator.admin.createApp({
      signing_secret: SECRET,
      manifest: {
        id: 'small',
        name: 'Small',
        version: '1.0.0',
        permissions: ['courses:read'],
        oauth: { install: true },
        webhook: { url: `${url}/webhook` },
      },
    })
    await use({
      emulator,
      behaves(behavior) {
        behave = behavior
      },
    })
  },
})

function isGenuine({ headers }: IncomingMessage, body: Buffer): boolean {
  const given = Buffer.from(String(headers['platform-signature'] ?? ''))
  const expected = Buffer.from(signatureOf(body, SECRET))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
