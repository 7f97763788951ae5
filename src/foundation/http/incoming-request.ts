import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Request } from './request.js'

const NO_BODY = Buffer.alloc(0)

/** A request of `node:http`. Parts that few handlers use are created on demand. */
export class IncomingRequest implements Request {
  readonly method: string
  path: string
  readonly search: string
  readonly headers: IncomingHttpHeaders
  readonly client: string
  body: Buffer = NO_BODY
  exceededLimit: number | undefined
  #query: URLSearchParams | undefined
  #gone: AbortController | undefined

  params: Record<string, string> = {}

  /** @param url path and query, as sent. @param closing aborts when the emulator closes. */
  constructor(
    readonly message: IncomingMessage,
    readonly response: ServerResponse,
    url: string,
    readonly closing: AbortSignal,
  ) {
    const { path, search } = splitTarget(url)
    this.method = message.method ?? 'GET'
    this.path = path
    this.search = search
    this.headers = message.headers
    this.client = message.socket.remoteAddress ?? ''
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.search)
    return this.#query
  }

  /** Created on demand: an abort captures a stack trace, at the end of every request. */
  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal
    const gone = new AbortController()
    this.#gone = gone
    const leave = () => gone.abort()
    // A destroyed response may have closed, and would leave the listener until the emulator closes.
    if (this.closing.aborted || this.response.destroyed) leave()
    else {
      this.closing.addEventListener('abort', leave, { once: true })
      this.response.once('close', () => {
        this.closing.removeEventListener('abort', leave)
        leave()
      })
    }
    return gone.signal
  }
}

/** Splits a request target at its first question mark. */
export function splitTarget(url: string): { path: string; search: string } {
  const question = url.indexOf('?')
  return question < 0 ? { path: url, search: '' } : { path: url.slice(0, question), search: url.slice(question + 1) }
}

/**
 * Reduces a request target in absolute form, as sent to a proxy, to path and query. The result always begins with a
 * slash, so that a surface matches it. RFC 9112 §3.2
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const rest = target.replace(/^https?:\/\/[^/?]*/i, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}
