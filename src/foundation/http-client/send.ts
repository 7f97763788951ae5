import { type Agent, type ClientRequest, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import type { Socket } from 'node:net'
import { clearTimeout, performance, setTimeout } from '../time/real-timers.js'
import { checkAddress, guardedLookup, RefusedTarget, type TargetRules } from './targets.js'

/** A request to another program. Redirects are not followed. */
export interface OutgoingRequest {
  method: string
  /** http or https. */
  url: string
  /** A value may hold bytes of Latin-1 beyond ASCII. */
  headers?: Record<string, string>
  /** Sent as it is, with its length. */
  body?: string | Buffer | undefined
  /** Real milliseconds until the whole response must be there; no limit when left out. */
  timeout?: number
  /** Bytes of the response's body that are read; no limit when left out. */
  limit?: number
  signal?: AbortSignal | undefined
  /** Restricts which addresses are called; any when left out. wire: §7 "who is called" */
  targets?: TargetRules
  /** PEM certificates that an https server is trusted by; Node's own when left out. */
  ca?: (() => string[]) | undefined
  /** Keeps connections; each request has its own when left out. */
  agent?: Agent
  /** Called when the whole request has left. */
  onSent?: (() => void) | undefined
  /** Called with each new connection, before a byte is sent over it. */
  onConnection?: ((socket: Socket) => void) | undefined
}

export interface IncomingResponse {
  status: number
  headers: IncomingHttpHeaders
  /** At most `limit` bytes of the body. */
  body: Buffer
  /** The reason that the body is incomplete. */
  cut?: { kind: 'limit' | 'timeout' | 'network'; message: string }
  /** Real milliseconds. */
  duration: number
}

/** No response. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure'

  constructor(
    /** `refused`: the target may not be called, so no connection was opened. */
    readonly kind: 'refused' | 'timeout' | 'aborted' | 'network',
    message: string,
    /** Real milliseconds. */
    readonly duration: number,
    /** Code of the network error, such as `ECONNREFUSED`. */
    readonly code?: string,
    /** A kept connection ended just as it was taken up again, so the request did not arrive. */
    readonly isStale = false,
  ) {
    super(message)
  }
}

/**
 * Sends a request and reads the response. All outgoing requests but the event stream's use it: webhooks, the client of the
 * control API, audit, scenarios, `pull` and `compare`. Not `fetch`, which accepts neither certificates nor address checks.
 * Every address that a name resolves to is checked before a connection is opened.
 * @throws SendFailure when no response comes; one that is cut off after its headers is returned, with `cut`.
 */
export async function send(request: OutgoingRequest): Promise<IncomingResponse> {
  const { method, url, headers = {}, body, timeout, limit = Number.POSITIVE_INFINITY, signal, targets, agent } = request
  const started = performance.now()
  const since = () => Math.round(performance.now() - started)
  const { protocol, hostname } = new URL(url)
  // Only https needs what takes long to load.
  const open = protocol === 'https:' ? (await import('node:https')).request : requestHttp

  return new Promise((resolve, reject) => {
    let sent: ClientRequest | undefined
    let settled = false
    let received: { status: number; headers: IncomingHttpHeaders } | undefined
    const chunks: Buffer[] = []
    let size = 0

    const settle = (by: () => void) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      by()
    }
    const fail = (kind: SendFailure['kind'], message: string, code?: string) =>
      settle(() => {
        reject(new SendFailure(kind, message, since(), code, sent?.reusedSocket && code === 'ECONNRESET'))
        sent?.destroy()
      })
    const respond = (cut?: IncomingResponse['cut']) =>
      settle(() => {
        const whole = Buffer.concat(chunks)
        const read = whole.length > limit ? whole.subarray(0, limit) : whole
        resolve({ ...(received as NonNullable<typeof received>), body: read, ...(cut && { cut }), duration: since() })
        if (cut || !agent) sent?.destroy()
      })
    /** Once there is a status, what goes wrong only cuts the body off. */
    const interrupt = (kind: 'timeout' | 'network', message: string, code?: string) =>
      received ? respond({ kind, message }) : fail(kind, message, code)
    const abort = () => fail('aborted', 'the request was aborted')
    const timer =
      timeout === undefined
        ? undefined
        : setTimeout(() => interrupt('timeout', `no response within ${timeout} ms`), timeout)

    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort)
    const onError = (error: NodeJS.ErrnoException) => {
      if (error instanceof RefusedTarget) fail('refused', error.message)
      else interrupt('network', messageOf(error), error.code)
    }
    try {
      if (targets) checkAddress(hostname, targets)
      sent = open(url, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
        agent: agent ?? false,
        ...(targets && { lookup: guardedLookup(targets) }),
        ...(protocol === 'https:' && request.ca && { ca: request.ca() }),
      })
    } catch (error) {
      return onError(error as Error)
    }
    sent.on('error', onError)
    sent.on('finish', () => request.onSent?.())
    sent.on('socket', (socket) => {
      if (request.onConnection && socket.connecting) socket.once('connect', () => request.onConnection?.(socket))
    })
    sent.on('response', (response) => {
      received = { status: response.statusCode ?? 0, headers: response.headers }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size > limit) respond({ kind: 'limit', message: `the response is larger than ${limit} bytes` })
      })
      response.on('end', () => respond())
      response.on('error', onError)
    })
    // A 101 with `Upgrade`: the connection is another protocol's from here on, and Node reports no response.
    sent.on('upgrade', ({ statusCode = 0, headers }, socket) => {
      received = { status: statusCode, headers }
      respond()
      socket.destroy()
    })
    sent.end(body)
  })
}

/** A host name with several addresses fails with an error for each. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
