import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { type Emulator, type FixtureDocument, type StartOptions, startEmulator } from 'mockademy'
import { faultOfAnswer } from './api-document.js'
import { test as base } from './temporary-folder.js'
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
  /** Sent in place of the path of the URL, as it is, dots and all. */
  path?: string
  /** The answer is not the API's own: an injected one, which its OpenAPI document need not describe. */
  injected?: boolean
}

const agent = new Agent({ keepAlive: true })

/**
 * One HTTP request; redirects are not followed. The body is parsed when it is JSON.
 * Responses of `/v0` are checked against the emulator's OpenAPI document.
 */
export async function send(url: string, call: Call = {}): Promise<Answer> {
  const { body, form, as } = call
  const raw = form ? String(new URLSearchParams(form)) : body !== undefined ? JSON.stringify(body) : call.raw
  const type = form ? 'application/x-www-form-urlencoded' : body !== undefined ? 'application/json' : 'text/plain'
  const headers: Record<string, string | number> = {
    accept: '*/*',
    'user-agent': 'node',
    ...(typeof raw === 'string' && { 'content-type': type }),
    ...(raw !== undefined && { 'content-length': Buffer.byteLength(raw) }),
    ...(as !== undefined && { authorization: `Bearer ${as}` }),
    ...call.headers,
  }
  const method = call.method ?? (raw === undefined ? 'GET' : 'POST')
  const options = { agent, method, headers, ...(call.path !== undefined && { path: call.path }) }
  const { response, text } = await exchange(url, options, raw)
  const isJson = /json/.test(response.headers['content-type'] ?? '')
  const answer = {
    status: response.statusCode ?? 0,
    get headers() {
      return headersOf(response)
    },
    text,
    body: isJson ? JSON.parse(text) : text,
  }
  if (isJson && !call.injected && new URL(url).pathname.startsWith('/v0/')) {
    const fault = await faultOfAnswer(url, method, answer.status, answer.body)
    if (fault) throw new Error(`The answer is not as the API's OpenAPI document says: ${fault}`)
  }
  return answer
}

/** Sends a request over a kept connection, which takes a third of the processor time of `fetch`. */
const exchange = (url: string, options: RequestOptions, body?: string | Uint8Array) =>
  new Promise<{ response: IncomingMessage; text: string }>((resolve, reject) => {
    request(url, options)
      .on('error', reject)
      .on('response', (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('error', reject)
          .on('data', (chunk) => {
            text += chunk
          })
          .on('end', () => resolve({ response, text }))
      })
      .end(body)
  })

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] as string, rawHeaders[at + 1] ?? '')
  return headers
}

export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

/**
 * Returns a function that sends many requests with a credential, and does not check the answers against the document.
 * A body that is a string is sent as it is.
 */
export const senderTo =
  (url: string, as?: string): Send =>
  (method, path, body, headers) =>
    send(url, {
      ...{ method, path, injected: true },
      ...(as !== undefined && { as }),
      ...(typeof body === 'string' ? { raw: body } : { body }),
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    })

interface Fixtures {
  /** Settings beside the seed; the clock is stopped at 2026-01-01T00:00:00Z. Override with `test.override`. */
  settings: StartOptions
  /** The world to begin with. */
  world: FixtureDocument
  emulator: Emulator
  /** `call('/v0/courses', { as: 'key_acme' })` */
  call: (path: string, call?: Call) => Promise<Answer>
}

// A busy machine may keep an app from responding for seconds.
const own = { seed: 'test', now: '2026-01-01T00:00:00Z', ackWindow: '1m' } as const

/** A test with a fresh emulator on a free port, with a stopped clock. */
export const test = base.extend<Fixtures>({
  settings: {},
  world: acme,
  emulator: async ({ settings, world }, use) => {
    await using emulator = await startEmulator({ ...own, fixtures: world, ...settings })
    await use(emulator)
  },
  call: async ({ emulator }, use) => {
    await use((path, call) => send(path.startsWith('http') ? path : emulator.url + path, call))
  },
})

/** The same with one emulator for the file, reset before each test: a process that a file starts once knows its address. */
export const oneEmulatorTest = test.extend<{ oneEmulator: Emulator } & Pick<Fixtures, 'emulator'>>({
  oneEmulator: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
    async ({}, use) => {
      await using emulator = await startEmulator({ ...own, fixtures: acme })
      await use(emulator)
    },
    { scope: 'file' },
  ],
  emulator: async ({ oneEmulator }, use) => {
    await oneEmulator.admin.reset()
    await use(oneEmulator)
  },
})
