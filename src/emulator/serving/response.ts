import type { Notes } from '../world/exchange.js'

/** The response that a handler returns; `send.ts` sends it. An object is sent as JSON, text and bytes unchanged. */
export interface Response {
  status: number
  headers?: Record<string, string | string[]>
  body?: object | string | Buffer
  /** Instead of `body`: its parts, such as server-sent events, taken as fast as the client reads them. */
  stream?: AsyncIterable<string | Buffer> | undefined
  /** An injected fault's: how the connection breaks instead of, or within, this response. */
  broken?: 'reset' | 'hang' | 'truncate' | 'empty' | undefined
  /** For the journal only. */
  notes?: Notes | undefined
}
