import type { IncomingHttpHeaders } from 'node:http'
import type { Request } from './request.js'

/** A request as its maker gives it. */
export interface DirectCall {
  method: string
  /** With its query. */
  path: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

/** A request that is made in this process: all of it is there, and nobody goes away. */
export class DirectRequest implements Request {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly client = '127.0.0.1'
  readonly body: Buffer
  readonly bodyTooLarge = false
  params: Record<string, string> = {}

  constructor(
    { method, path, headers = {}, body = '' }: DirectCall,
    readonly signal: AbortSignal,
  ) {
    const [target = '/', search = ''] = path.split('?', 2)
    this.method = method
    this.path = target
    this.search = search
    this.query = new URLSearchParams(search)
    this.headers = headers
    this.body = Buffer.from(body)
  }
}
