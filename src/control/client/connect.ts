import { ANY_RUN, RUN_HEADER } from '../../emulator/world/run.js'
import { checkOptions, checkUrl } from '../../foundation/schema/options.js'
import { callNames, callTable } from '../admin/call-table.js'
import type { CallName } from '../admin/calls.js'
import type { Admin } from './admin.js'
import { type CallParts, type ControlCaller, createCaller } from './caller.js'
import { readStream, type StreamOptions } from './event-stream.js'
import { createHttpClient, type HttpClient } from './http-client.js'
import { makeSandbox } from './sandbox.js'

/**
 * Options of `connect`.
 * @example
 * const options: ConnectOptions = { adminToken: 'sesame' }
 */
export interface ConnectOptions {
  /** The setting `admin_token` of that emulator. */
  adminToken?: string | undefined
}

/**
 * Returns a client of the control API of the emulator at `url`, with a method for each control call. Every method
 * rejects with an `AdminError` when the call is refused, and with an `UnreachableError` when nothing responds.
 * @throws InvalidOptionsError for options that do not exist or have invalid values, and a `url` that is not valid.
 * @example
 * const admin = connect('http://127.0.0.1:4600', { adminToken: process.env.ADMIN_TOKEN })
 * await admin.advanceClock('1h')
 */
export function connect(url: string, options: ConnectOptions = {}): Admin {
  checkUrl(url)
  checkOptions(options, { adminToken: 'string' })
  return connectWith(url, options)
}

/** Returns a client of the control API that sends its requests with `send`. */
export function connectWith(url: string, options: ConnectOptions, send?: HttpClient): Admin {
  const origin = url.replace(/\/$/, '')
  const call = createCaller(origin, options.adminToken, send)
  const methods = Object.fromEntries(callNames.map((name) => [name, methodOf(name, call)]))
  const stream = (given?: StreamOptions) => readStream(origin, options.adminToken, given)
  const report: Admin['report'] = async (file, options) =>
    (await import('../run-report/write-report.js')).writeRunReport(call, file, options)
  const admin = { ...methods, stream, report, sandbox: (given) => makeSandbox(admin, given) } as Admin
  return admin
}

/**
 * Returns a client for the program of a run: its calls are marked with the run's id, and its lists hold what every run
 * caused unless `run` says otherwise. dev: "Why, for webhooks as for requests"
 * @param signal rejects every call that is made after it has aborted.
 */
export function connectAsRun(url: string, run: string, options: ConnectOptions, signal?: AbortSignal): Admin {
  const send = createHttpClient(url.replace(/\/$/, ''))
  const admin = connectWith(url, options, async (request) => {
    signal?.throwIfAborted()
    return send({ ...request, headers: { ...request.headers, [RUN_HEADER]: run } })
  })
  return {
    ...admin,
    listRequests: (query) => admin.listRequests({ run: ANY_RUN, ...query }),
    countRequests: (query) => admin.countRequests({ run: ANY_RUN, ...query }),
    listDeliveries: (query) => admin.listDeliveries({ run: ANY_RUN, ...query }),
    listFindings: (query) => admin.listFindings({ run: ANY_RUN, ...query }),
    stream: (given) => admin.stream({ run: ANY_RUN, ...given }),
  }
}

const methodOf =
  (name: CallName, call: ControlCaller) =>
  (...args: unknown[]) => {
    const { method, names, argument } = callTable[name]
    const inPath = Object.keys(names)
    const params = Object.fromEntries(inPath.map((param, index) => [param, args[index]]))
    const [last, others] = args.slice(inPath.length)
    const rest =
      method === 'GET' ? { query: last } : { body: argument ? { ...(others as object), [argument]: last } : last }
    return call(name, { params, ...rest } as CallParts<CallName>)
  }
