import type { Socket } from 'node:net'
import type { ParamsOf } from '../../emulator/serving/route.js'
import { callTable } from '../admin/call-table.js'
import type { CallBody, CallName, CallQuery, CallResult, PathOf } from '../admin/calls.js'
import { pathOfCall } from './call-path.js'
import { type Problem, parsedResponse, refusedCall } from './errors.js'
import { createHttpClient, type HttpClient } from './http-client.js'

/** The parts of a call. A field or parameter that is undefined is omitted. */
export interface CallParts<N extends CallName> {
  params?: Record<ParamsOf<PathOf<N>>, string>
  query?: CallQuery<N>
  body?: CallBody<N>
}

/** Makes control calls by name. Rejects with an `AdminError` when one is refused, an `UnreachableError` without a response. */
export type ControlCaller = <N extends CallName>(
  name: N,
  parts?: CallParts<N>,
  signal?: AbortSignal,
) => Promise<CallResult<N>>

/**
 * Returns a function that makes control calls of the emulator at `url`, whose admin token is `token`.
 * @param onConnection called with each connection before a byte is sent over it.
 */
export function createCaller(
  url: string,
  token?: string,
  onConnection?: (socket: Socket) => void,
  send: HttpClient = createHttpClient(url, onConnection),
): ControlCaller {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return async (name, parts = {}, signal) => {
    const { method, path, list } = callTable[name]
    const { params, query, body } = parts
    const text = body === undefined ? undefined : JSON.stringify(body)
    const response = await send({
      method,
      path: pathOfCall(path, params, query),
      headers: {
        accept: 'application/json',
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }),
        ...authorization,
      },
      ...(text !== undefined && { body: text }),
      ...(signal && { signal }),
    })
    const result = parsedResponse(url, response.status, response.text)
    if (response.status >= 400) throw refusedCall(response.status, result as Problem, token)
    // With `format`, a list has another form.
    return (list ? ((result as { data?: unknown }).data ?? result) : result) as CallResult<typeof name>
  }
}
