import { Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { version } from '../../emulator/world/version.js'
import { createPacer, machineWatch, type Watch } from './pacing.js'
import { PlatformFailure } from './platform-failure.js'

const RETRIES = 5
/** A rate limit is no failure, but one that never lifts must not be waited for without end. */
const RATE_LIMIT_RETRIES = 20
const LONGEST_WAIT = 60 * 60 * 1000
const LONGEST_BODY = 64 * 1024 * 1024
const TIMEOUT = 60_000
const SERVER_ERRORS = Array.from({ length: 100 }, (_, index) => 500 + index)

/** A response of the platform, whatever its status. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** Undefined when it is not JSON. */
  body: unknown
}

export interface PlatformCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Record<string, string>
  /** Null: none is sent. Left out: the client's own. */
  credential?: string | null
}

export interface PlatformClient {
  /** @param path below `{base_url}`. @throws PlatformFailure 1 when nothing whole comes back, however often it is tried. */
  request(path: string, call?: PlatformCall): Promise<Answer>
  /** How many requests have been sent, retries among them. */
  sent(): number
  close(): void
}

export interface ClientOptions {
  /** `{base_url}`, as `readAddress` gives it. */
  base: string
  credential: string
  /** 0: as fast as it goes. */
  requestsPerSecond: number
  watch?: Watch | undefined
  /** In ms, for one attempt. */
  timeout?: number | undefined
  /** PEM certificates to trust instead of the well-known ones. */
  authorities?: string[] | undefined
  signal?: AbortSignal | undefined
  /** Told before each wait of a retry: how long, in ms, what for, and what was answered, if anything. */
  onWait?:
    | ((milliseconds: number, why: string, refused: Pick<Answer, 'status' | 'headers'> | undefined) => void)
    | undefined
}

/**
 * A reader of `/v0`, careful with a stranger's server: it paces itself, does what `Retry-After` says, tries 5xx and broken
 * connections again (at most 5 times, waiting longer each time), follows no redirect and reads no endless body.
 * real-platform: "Paces itself …"
 */
export async function createPlatformClient(options: ClientOptions): Promise<PlatformClient> {
  const { default: got, HTTPError } = await import('got')
  const { base, credential, requestsPerSecond, watch = machineWatch, timeout = TIMEOUT, signal, onWait } = options
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true, ca: options.authorities }),
  }
  const paced = createPacer(watch, requestsPerSecond, signal)
  let sent = 0

  const client = got.extend({
    agent: agents,
    decompress: false,
    followRedirect: false,
    throwHttpErrors: false,
    headers: { accept: 'application/json', 'user-agent': `mockademy/${version}` },
    timeout: { request: timeout },
    ...(signal && { signal }),
    hooks: {
      beforeRequest: [
        async () => {
          await paced()
          sent++
        },
      ],
    },
    retry: {
      limit: RETRIES,
      methods: ['GET'],
      statusCodes: [429, ...SERVER_ERRORS],
      maxRetryAfter: LONGEST_WAIT,
      async calculateDelay({ attemptCount, error, retryAfter = 0, computedValue }) {
        const refused =
          error instanceof HTTPError
            ? { status: error.response.statusCode, headers: error.response.headers }
            : undefined
        const status = refused?.status
        const again = status === 429 && attemptCount <= RATE_LIMIT_RETRIES && retryAfter <= LONGEST_WAIT
        const delay = computedValue > 0 || !again ? computedValue : Math.max(retryAfter, 1000)
        if (delay <= 0) return 0
        onWait?.(delay, status === undefined ? 'a connection error' : `status ${status}`, refused)
        // Waited for here, so that a test need not; the library's own wait is the shortest there is.
        await watch.wait(delay, signal)
        return 1
      },
    },
  })

  return {
    async request(path, { method = 'GET', query = {}, credential: other } = {}) {
      const bearer = other === undefined ? credential : other
      let tooLong = false
      try {
        const pending = client(`${base}${path}`, {
          method,
          searchParams: query,
          headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
        })
        pending.on('downloadProgress', ({ transferred }) => {
          if (transferred <= LONGEST_BODY || tooLong) return
          tooLong = true
          pending.cancel()
        })
        const { statusCode, headers, body } = await pending
        return { status: statusCode, headers, body: parse(withoutCredentials(body, [credential, bearer ?? ''])) }
      } catch (error) {
        signal?.throwIfAborted()
        const why = tooLong ? 'its response is larger than 64 MB' : ((error as { code?: string }).code ?? 'no response')
        throw new PlatformFailure(1, `${method} ${base}${path} could not be read: ${why}`)
      }
    },
    sent: () => sent,
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** What the platform repeats of a credential goes no further. A very short one could be a part of any word. */
const withoutCredentials = (text: string, credentials: string[]) =>
  credentials
    .filter(({ length }) => length >= 6)
    .reduce((rest, credential) => rest.replaceAll(credential, 'hidden-credential'), text)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
