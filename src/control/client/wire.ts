import { type LookupAddress, lookup } from 'node:dns'
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { joinedFields } from '../../foundation/http/header-fields.js'
import { isNearby, isTrusted, plainHost, refusedTarget } from '../../platform/webhooks/targets.js'

const TWO_MEGABYTES = 2 * 1024 * 1024

/** A request to the app under test, or as a browser sends it to the emulator; redirects are never followed. */
export interface WireRequest {
  method: string
  url: string
  /** A value may hold bytes of Latin-1 beyond ASCII. */
  headers?: Record<string, string>
  body?: string | Buffer | undefined
  /** Real milliseconds until the whole answer must be there. */
  timeout: number
}

/** A request and what came back. */
export interface WireExchange {
  method: string
  url: string
  headers: Record<string, string>
  body: string | Buffer | undefined
  /** Null without an answer; `error` says why. */
  status: number | null
  error: string | null
  answer: { headers: Record<string, string>; cookies: string[]; body: string }
  /** Real milliseconds. */
  duration: number
}

/** Whom a wire may talk to beside loopback and private addresses: the emulator's settings. wire: §7 "who is called" */
export interface TargetRules {
  trust_hosts: string[]
  allow_public_webhooks: boolean
}

export type Wire = (sending: WireRequest) => Promise<WireExchange>

interface WireOptions {
  rules: TargetRules
  /** When it aborts, so do requests under way. */
  signal: AbortSignal
  /** Told of every exchange. */
  seen?(exchange: WireExchange): void
  /** Authorities that https servers are trusted by; Node's own when left out. */
  ca?: string[] | undefined
  /** Told of each connection before a byte is sent over it. */
  onConnection?(socket: Socket): void
}

/**
 * What sends requests: to loopback, private and trusted hosts alone; every address that a name resolves to is judged
 * before a connection is opened. Network errors are part of the exchange, never thrown.
 */
export function createWire({ rules, signal, seen, ca, onConnection }: WireOptions): Wire {
  const judgingLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const foreign = error ? undefined : addresses.find(({ address }) => !isNearby(address))
      if (error) callback(error, '', 0)
      else if (foreign && !isTrusted(hostname, rules)) {
        callback(new Error(refusedTarget(hostname, foreign.address)), '', 0)
      } else if (options.all) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0)
    })
  }

  return (sending) =>
    new Promise((resolve) => {
      const started = performance.now()
      const { method, url, headers = {}, body, timeout } = sending
      let request: ClientRequest | undefined
      const end = (answered: Partial<WireExchange>) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        request?.destroy()
        const exchange: WireExchange = {
          method,
          url,
          headers,
          body,
          status: null,
          error: null,
          answer: { headers: {}, cookies: [], body: '' },
          duration: Math.round(performance.now() - started),
          ...answered,
        }
        seen?.(exchange)
        resolve(exchange)
      }
      const abort = () => end({ error: 'the run was interrupted' })
      const timer = setTimeout(() => end({ error: `no response within ${timeout} ms` }), timeout)
      signal.addEventListener('abort', abort)
      if (signal.aborted) return abort()

      const { protocol, hostname } = new URL(url)
      const host = plainHost(hostname)
      if (isIP(host) && !isNearby(host) && !isTrusted(host, rules)) return end({ error: refusedTarget(host, host) })
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      try {
        request = (protocol === 'https:' ? requestHttps : requestHttp)(url, {
          method,
          headers: { ...headers, ...length },
          agent: false,
          lookup: judgingLookup,
          ...(ca && { ca }),
        })
      } catch (error) {
        return end({ error: messageOf(error) })
      }
      request.on('error', (error) => end({ error: messageOf(error) }))
      if (onConnection) {
        request.on('socket', (socket) => socket.once('connect', () => onConnection(socket)))
      }
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        let size = 0
        const answered = () => ({
          status: response.statusCode ?? 0,
          answer: {
            headers: joinedFields(response.headers),
            cookies: response.headers['set-cookie'] ?? [],
            body: textOf(chunks),
          },
        })
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk)
          if (size > TWO_MEGABYTES) end(answered())
        })
        response.on('end', () => end(answered()))
        response.on('error', (error) => end({ error: `the response was cut off: ${error.message}` }))
      })
      request.end(body)
    })
}

const textOf = (chunks: Buffer[]) => Buffer.concat(chunks).subarray(0, TWO_MEGABYTES).toString()

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ECONNREFUSED'
    ? 'the connection was refused'
    : code === 'ECONNRESET'
      ? 'the connection was reset'
      : message
}
