import { type Emulator, type FixtureDocument, type StartOptions, startEmulator } from 'mockademy'
import { test as base } from 'vitest'
import { faultOfAnswer } from './api-document.js'
import { acme } from './worlds/acme.js'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire holds, and fails where it is not there
  body: any
  text: string
}

export interface Call {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is. */
  raw?: string | Uint8Array<ArrayBuffer>
  /** Sent as a form. */
  form?: Record<string, string>
  /** Bearer credential. */
  as?: string
  /** The answer is not the API's own: an injected one, which its OpenAPI document need not describe. */
  injected?: boolean
}

/**
 * One HTTP request; redirects are not followed. The body is parsed when it is JSON.
 * What `/v0` answers is checked against the emulator's own OpenAPI document.
 */
export async function send(url: string, call: Call = {}): Promise<Answer> {
  const { body, raw, form, as } = call
  const headers: Record<string, string> = {
    ...(as !== undefined && { authorization: `Bearer ${as}` }),
    ...call.headers,
  }
  if (body !== undefined) headers['content-type'] ??= 'application/json'
  const sent = form ? new URLSearchParams(form) : body !== undefined ? JSON.stringify(body) : raw
  const method = call.method ?? (sent === undefined ? 'GET' : 'POST')
  const response = await fetch(url, { method, headers, body: sent, redirect: 'manual' })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  const answer = { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text }
  if (isJson && !call.injected && new URL(url).pathname.startsWith('/v0/')) {
    const fault = await faultOfAnswer(url, method, answer.status, answer.body)
    if (fault) throw new Error(`The answer is not as the API's OpenAPI document says: ${fault}`)
  }
  return answer
}

interface Fixtures {
  /** Settings beside the seed; the clock is stopped at 2026-01-01T00:00:00Z. Override with `test.override`. */
  settings: StartOptions
  /** The world to begin with. */
  world: FixtureDocument
  emulator: Emulator
  /** `call('/v0/courses', { as: 'key_acme' })` */
  call: (path: string, call?: Call) => Promise<Answer>
}

/** A test with a fresh emulator on a free port, with a stopped clock. */
export const test = base.extend<Fixtures>({
  settings: {},
  world: acme,
  emulator: async ({ settings, world }, use) => {
    const emulator = await startEmulator({ seed: 'test', now: '2026-01-01T00:00:00Z', fixtures: world, ...settings })
    await use(emulator)
    await emulator.close()
  },
  call: async ({ emulator }, use) => {
    await use((path, call) => send(path.startsWith('http') ? path : emulator.url + path, call))
  },
})
