import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import type { Socket } from 'node:net'
import { UnreachableError } from './errors.js'

/** One request to the emulator. */
export interface HttpRequest {
  method: string
  /** With its query. */
  path: string
  headers?: Record<string, string>
  /** Sent as it is. */
  body?: string
  /** Gives up: the promise rejects. */
  signal?: AbortSignal
}

export interface HttpResponse {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

/** Sends requests to one emulator over kept connections. Rejects with an `UnreachableError` when nothing answers. */
export type HttpClient = (request: HttpRequest) => Promise<HttpResponse>

/**
 * A client of the emulator at `url`. Not `fetch`, which cannot be told of the local certificate authority: what
 * serves https with a certificate of that authority is trusted here without further ado.
 * @param url an http or https origin, without a trailing slash.
 * @param onConnection told of each connection before a byte is sent over it.
 */
export function createHttpClient(url: string, onConnection?: (socket: Socket) => void): HttpClient {
  const connection = connectionTo(url)
  const attempt = async (request: HttpRequest): Promise<HttpResponse> => {
    const { start, agent } = await connection()
    const { method, path, headers, body, signal } = request
    return new Promise((resolve, reject) => {
      const sent: ClientRequest = start(url + path, { method, headers, agent, signal }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode = 0, headers } = response
          resolve({ status: statusCode, headers, text: Buffer.concat(chunks).toString() })
        })
      })
      if (onConnection) {
        sent.on('socket', (socket) => {
          if (socket.connecting) socket.once('connect', () => onConnection(socket))
        })
      }
      // A kept connection may have ended just as it was taken up again: that request reached nobody.
      sent.on('error', (error: NodeJS.ErrnoException) =>
        sent.reusedSocket && error.code === 'ECONNRESET' ? resolve(attempt(request)) : reject(error),
      )
      sent.end(body)
    })
  }
  return (request) =>
    attempt(request).catch((error: NodeJS.ErrnoException) => {
      throw new UnreachableError(url, `${reasonOf(error)}. Is it running?`, { cause: error })
    })
}

/** A host name that stands for several addresses fails with an error for each. */
function reasonOf(error: NodeJS.ErrnoException | AggregateError): string {
  const { code, message } = error as NodeJS.ErrnoException
  const text = message || (error instanceof AggregateError ? String(error.errors[0]?.message) : '')
  return code && !text.includes(code) ? `${code} ${text}`.trim() : text
}

/** How to open connections to `url`; what https needs is loaded with the first request. */
function connectionTo(url: string) {
  if (!url.startsWith('https:')) {
    const agent = new HttpAgent({ keepAlive: true })
    return async () => ({ start: requestHttp, agent })
  }
  const loading = async () => {
    const [{ Agent, request }, { trustedAuthorities }] = await Promise.all([
      import('node:https'),
      import('../../foundation/tls/authority.js'),
    ])
    return { start: request, agent: new Agent({ keepAlive: true, ca: trustedAuthorities() }) }
  }
  let loaded: ReturnType<typeof loading> | undefined
  return () => {
    loaded ??= loading()
    return loaded
  }
}
