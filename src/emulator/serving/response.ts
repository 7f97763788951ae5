import type { Notes } from '../world/exchange.js'

/** Faults that break a connection instead of, or within, a response. */
export const brokenConnections = ['reset', 'hang', 'truncate', 'empty'] as const

/** The response that a handler returns; `send.ts` sends it. An object is sent as JSON, text and bytes unchanged. */
export interface Response {
  status: number
  headers?: Record<string, string | string[]>
  body?: object | string | Buffer
  /** Instead of `body`: its parts, such as server-sent events, taken as fast as the client reads them. */
  stream?: AsyncIterable<string | Buffer> | undefined
  broken?: (typeof brokenConnections)[number] | undefined
  /** Shown in the journal only. */
  notes?: Notes | undefined
}
