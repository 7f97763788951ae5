import { checkOptionNames } from '../../foundation/schema/options.js'
import { callNames, callTable } from '../admin/call-table.js'
import type { ArgumentOf, CallBody, CallName, CallQuery, CallResult, PathOf } from '../admin/calls.js'
import { type CallParts, type ControlCaller, createCaller } from './caller.js'
import { readStream, type StreamEvent, type StreamOptions } from './event-stream.js'
import type { HttpClient } from './http-client.js'

/** The names in a path, as arguments. */
type PathArguments<P extends string> = P extends `${string}:${string}/${infer Rest}`
  ? [name: string, ...PathArguments<Rest>]
  : P extends `${string}:${string}`
    ? [name: string]
    : []

/** The last argument: optional where each part of it is. */
type LastArgument<T> = undefined extends T ? [given?: T] : Record<string, never> extends T ? [given?: T] : [given: T]

/** After the names in the path: one field of the body, or the body, or the query. */
type Given<N extends CallName> = [ArgumentOf<N>] extends [never]
  ? CallBody<N> extends undefined
    ? CallQuery<N> extends undefined
      ? []
      : LastArgument<CallQuery<N>>
    : LastArgument<CallBody<N>>
  : LastArgument<CallBody<N>[ArgumentOf<N> & keyof CallBody<N>]>

/** The control API as methods, one a call. control-api: "Typed client" */
export type Admin = {
  [N in CallName]: (...args: [...PathArguments<PathOf<N>>, ...Given<N>]) => Promise<CallResult<N>>
} & {
  /** Yields events from now on, or those after `since`, until it is no longer read. */
  stream(options?: StreamOptions): AsyncGenerator<StreamEvent>
}

/** Options of `connect`. */
export interface ConnectOptions {
  /** The setting `admin_token` of that emulator. */
  adminToken?: string | undefined
}

/**
 * Returns a client of the control API of the emulator at `url`, with a method for each control call. Every method
 * rejects with an `AdminError` when the call is refused, and with an `UnreachableError` when nothing responds.
 * @throws InvalidOptionsError for options that do not exist.
 * @example
 * const admin = connect('http://127.0.0.1:4600', { adminToken: process.env.ADMIN_TOKEN })
 * await admin.advanceClock('1h')
 */
export function connect(url: string, options: ConnectOptions = {}): Admin {
  checkOptionNames(options, ['adminToken'] satisfies (keyof ConnectOptions)[])
  return connectBy(url, options)
}

/** The same over another way than HTTP. */
export function connectBy(url: string, options: ConnectOptions, send?: HttpClient): Admin {
  const origin = url.replace(/\/$/, '')
  const call = createCaller(origin, options.adminToken, undefined, send)
  const methods = Object.fromEntries(callNames.map((name) => [name, methodOf(name, call)]))
  const stream = (given?: StreamOptions) => readStream(origin, options.adminToken, given)
  return { ...methods, stream } as unknown as Admin
}

const methodOf =
  (name: CallName, call: ControlCaller) =>
  (...args: unknown[]) => {
    const { method, names, argument } = callTable[name]
    const inPath = Object.keys(names)
    const params = Object.fromEntries(inPath.map((param, index) => [param, args[index]]))
    const last = args[inPath.length]
    const rest = method === 'GET' ? { query: last } : { body: argument ? { [argument]: last } : last }
    return call(name, { params, ...rest } as CallParts<CallName>)
  }
