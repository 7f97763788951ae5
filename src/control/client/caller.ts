import type { Socket } from 'node:net'
import type { ParamsOf } from '../../emulator/serving/route.js'
import { callTable } from '../admin/call-table.js'
import type { CallBody, CallName, CallQuery, CallResult, PathOf } from '../admin/calls.js'
import { pathOfCall } from './call-path.js'
import { AdminError, type Problem, UnreachableError } from './errors.js'
import { createHttpClient, type HttpClient } from './http-client.js'

/** The input of a call, by its parts; a field or parameter that is undefined is left out. */
export interface CallParts<N extends CallName> {
  params?: Record<ParamsOf<PathOf<N>>, string>
  query?: CallQuery<N>
  body?: CallBody<N>
}

/** Makes control calls by name. Rejects with an `AdminError` for one that is refused, an `UnreachableError` for none. */
export type ControlCaller = <N extends CallName>(
  name: N,
  parts?: CallParts<N>,
  signal?: AbortSignal,
) => Promise<CallResult<N>>

/**
 * Returns a function that makes the control calls of the table at the emulator at `url`.
 * @param token its setting `admin_token`.
 * @param onConnection told of each connection before a byte is sent over it.
 * @param send how a request gets there: over HTTP when left out.
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
    const answer = parsed(url, response.status, response.text)
    if (response.status >= 400) throw new AdminError(response.status, answer as Problem)
    return (list ? (answer as { data: unknown }).data : answer) as CallResult<typeof name>
  }
}

/** @throws UnreachableError when what answers there is something else. */
function parsed(url: string, status: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreachableError(url, `what answers there (with status ${status}) is not Mockademy`)
  }
}
