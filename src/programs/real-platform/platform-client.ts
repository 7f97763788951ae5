import { Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { version } from '../../emulator/world/version.js'
import { retryAfter } from '../../foundation/http/retry-after.js'
import { type IncomingResponse, SendFailure, send } from '../../foundation/http-client/send.js'
import { isDeep, MAX_DEPTH } from '../../foundation/schema/json-depth.js'
import { unlessThrows } from '../../foundation/schema/unless-throws.js'

/**
 * A pull or comparison that cannot go on. Its message holds nothing of a response, a credential or a person.
 * @param exitStatus 1: the platform could not be read; 2: wrong use. real-platform: "Exit 0, 1 …, 2"
 */
export class PlatformFailure extends Error {
  constructor(
    readonly exitStatus: 1 | 2,
    message: string,
  ) {
    super(message)
    this.name = 'PlatformFailure'
  }
}

/** Real time, handed in so that tests need not wait. */
export const machineWatch = {
  /** Milliseconds since any fixed time. */
  now: () => performance.now(),
  /** Ends after so many milliseconds; rejects when `signal` aborts. */
  wait: (milliseconds: number, signal?: AbortSignal): Promise<void> => pause(milliseconds, undefined, { signal }),
}

export type Watch = typeof machineWatch

export interface PlatformResponse {
  status: number
  headers: IncomingHttpHeaders
  /** Undefined when it is not JSON. */
  body: unknown
}

export interface PlatformCall {
  method?: string
  query?: Record<string, string>
  /** Null: none is sent. Left out: the client's own. */
  credential?: string | null
}

export type PlatformClient = ReturnType<typeof createPlatformClient>

export interface ClientOptions {
  /** `{base_url}` without a trailing slash. */
  base: string
  apiKey: string
  /** 0: not paced. */
  requestsPerSecond: number
  watch?: Watch | undefined
  /** Milliseconds for one attempt. */
  timeout?: number | undefined
  /** PEM certificates to trust instead of the well-known ones. */
  authorities?: string[] | undefined
  signal?: AbortSignal | undefined
}

/** The whole response, or the reason that there is none. `mayPass`: another attempt may overcome it. */
type Received = IncomingResponse | { failure: string; mayPass: boolean }

const RETRIES = 5
/** Retries after a request whose retries all failed: a platform that is down is not waited for with every request. */
const RETRIES_WHEN_DOWN = 1
/** A rate limit is no failure, but one that never lifts must not be waited for without end. */
const RATE_LIMIT_RETRIES = 20
const MAX_WAIT = 60 * 60 * 1000
const MAX_BODY = 64 * 1024 * 1024
const TIMEOUT = 60_000
/** The errors that another attempt may overcome; a bad certificate is not among them. */
const PASSING = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOTFOUND', 'ENETUNREACH', 'EHOSTUNREACH', 'EAI_AGAIN']

/**
 * Reads `/v0`, carefully with a stranger's server: paces itself, waits as `Retry-After` says, retries GETs after 5xx and
 * broken connections, follows no redirect and reads no endless body. real-platform: "Paces itself …"
 */
export function createPlatformClient(options: ClientOptions, onWait: (wait: { waiting: number; why: string }) => void) {
  const { base, apiKey, requestsPerSecond, watch = machineWatch, timeout = TIMEOUT, signal, authorities } = options
  const agent = new (base.startsWith('https:') ? HttpsAgent : HttpAgent)({ keepAlive: true })
  const gap = requestsPerSecond === 0 ? 0 : 1000 / requestsPerSecond
  let next = Number.NEGATIVE_INFINITY
  let sent = 0
  let retries = RETRIES
  /** Headers of the 429s that were waited for. */
  const limited: IncomingHttpHeaders[] = []

  async function attempt(method: string, url: string, headers: Record<string, string>): Promise<Received> {
    const now = watch.now()
    const start = Math.max(now, next)
    next = start + gap
    if (start > now) await watch.wait(start - now, signal)
    sent++
    const ca = authorities && (() => authorities)
    try {
      const response = await send({ method, url, headers, timeout, limit: MAX_BODY, signal, ca, agent })
      if (response.cut?.kind === 'limit') return { failure: 'its response is larger than 64 MB', mayPass: false }
      return response.cut ? { failure: response.cut.message, mayPass: true } : response
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SendFailure)) throw error
      const { kind, code = '', message } = error
      return { failure: code || message, mayPass: kind === 'timeout' || PASSING.includes(code) }
    }
  }

  async function attemptWithRetries(method: string, url: string, headers: Record<string, string>): Promise<Received> {
    for (let tries = 1; ; tries++) {
      const result = await attempt(method, url, headers)
      const delay = method === 'GET' ? delayAfter(result, tries, retries) : undefined
      if (delay === undefined) return result
      if ('status' in result && result.status === 429) limited.push(result.headers)
      onWait({ waiting: delay, why: 'failure' in result ? 'a connection error' : `status ${result.status}` })
      await watch.wait(delay, signal)
    }
  }

  return {
    /** @param path below `{base_url}`. @throws PlatformFailure 1 when no complete response comes, however often it is tried. */
    async request(path: string, call: PlatformCall = {}): Promise<PlatformResponse> {
      const { method = 'GET', query = {}, credential = apiKey } = call
      const search = new URLSearchParams(query)
      const url = `${base}${path}${search.size > 0 ? `?${search}` : ''}`
      const headers = {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': `mockademy/${version}`,
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
      }
      const result = await attemptWithRetries(method, url, headers)
      retries = 'failure' in result || result.status >= 500 ? RETRIES_WHEN_DOWN : RETRIES
      const unread = (why: string) => new PlatformFailure(1, `${method} ${base}${path} could not be read: ${why}`)
      if ('failure' in result) throw unread(result.failure)
      const text = withoutCredentials(result.body.toString(), [apiKey, credential ?? ''])
      if (isDeep(text)) throw unread(`its response is nested deeper than ${MAX_DEPTH} levels`)
      return { status: result.status, headers: result.headers, body: unlessThrows(() => JSON.parse(text)) }
    },
    limited,
    sent: () => sent,
    close: () => agent.destroy(),
  }
}

/** Milliseconds to wait before the next attempt; undefined when there is none. */
function delayAfter(result: Received, tries: number, retries: number): number | undefined {
  const growing = 1000 * 2 ** (Math.min(tries, RETRIES) - 1)
  if ('failure' in result) return result.mayPass && tries <= retries ? growing : undefined
  const { status, headers } = result
  if (status !== 429 && status < 500) return undefined
  const asked = retryAfter(headers['retry-after'], Date.now())
  const wait = asked === undefined ? growing : Math.max(asked, 1000)
  return tries <= (status === 429 ? RATE_LIMIT_RETRIES : retries) && wait <= MAX_WAIT ? wait : undefined
}

/** Hides what the platform repeats of a credential. A very short one could be part of any word. */
const withoutCredentials = (text: string, credentials: string[]) =>
  credentials
    .filter(({ length }) => length >= 6)
    .reduce((rest, credential) => rest.replaceAll(credential, 'hidden-credential'), text)
