import { type IncomingHttpHeaders, METHODS } from 'node:http'

/** A request as handlers see it. Its body is bytes until `jsonBody` or `readForm` reads them. */
export interface Request<P extends string = string> {
  method: string
  /** Path as sent, without the query. */
  path: string
  params: Record<P, string>
  query: URLSearchParams
  /** The query as sent, without the question mark, for values that must be echoed byte for byte. */
  search: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** The surface's limit, in bytes, of a body that was over it; `body` is then empty, or its beginning (`readBody`). */
  exceededLimit: number | undefined
  client: string
  /** Aborts when the client goes away before the response, or the emulator closes. */
  signal: AbortSignal
}

/** Groups the values by name, in linear time. */
export function grouped(parameters: URLSearchParams): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    const group = groups.get(name)
    if (group) group.push(value)
    else groups.set(name, [value])
  }
  return groups
}

/** Returns true for a method that Node's parser accepts: no request has another one. */
export const isHttpMethod = (method: string): boolean => METHODS.includes(method)
