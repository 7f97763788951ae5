import type { ParamsOf } from '../../emulator/serving/surface.js'
import { callTable } from '../admin/call-table.js'
import type { CallBody, CallName, CallQuery, CallResult, PathOf } from '../admin/calls.js'
import { pathOfCall } from './call-path.js'
import { adminErrorOf, type Problem, parseResponse } from './errors.js'
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

/** Returns a function that makes control calls of the emulator at `url`, whose admin token is `token`. */
export function createCaller(url: string, token?: string, send: HttpClient = createHttpClient(url)): ControlCaller {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return async (name, { params, query, body } = {}, signal) => {
    const { method, path, list } = callTable[name]
    const content = body === undefined ? undefined : JSON.stringify(body)
    const type = content !== undefined && { 'content-type': 'application/json' }
    const headers = { accept: 'application/json', ...type, ...authorization }
    const { status, text } = await send({
      method,
      path: pathOfCall(path, params, query),
      headers,
      body: content,
      signal,
    })
    const result = parseResponse(url, status, text)
    if (status >= 400) throw adminErrorOf(status, result as Problem, token)
    // With `format`, a list has another form.
    return (list ? ((result as { data?: unknown }).data ?? result) : result) as CallResult<typeof name>
  }
}
