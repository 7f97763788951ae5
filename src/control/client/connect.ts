import { checkOptionNames } from '../../foundation/schema/options.js'
import type { CallBody, CallQuery, CallResult, PathArguments } from '../admin/call-types.js'
import { type CallName, callNames, type calls, entryOf } from '../admin/calls.js'
import { type CallParts, type ControlCaller, createCaller } from './caller.js'
import { readStream, type StreamEvent, type StreamOptions } from './event-stream.js'
import type { HttpClient } from './http-client.js'

type Call<N extends CallName> = (typeof calls)[N]
type Field<N extends CallName, F> = F extends keyof CallBody<N> ? CallBody<N>[F] : never

/** The last argument may be left out where every part of it may. */
type Argument<T> = undefined extends T ? [given?: T] : Record<string, never> extends T ? [given?: T] : [given: T]

/** After the names in the path: fields of the body by themselves, or the body, or the query. */
type Given<N extends CallName> =
  Call<N> extends { fields: readonly [infer F] }
    ? Argument<Field<N, F>>
    : CallBody<N> extends undefined
      ? CallQuery<N> extends undefined
        ? []
        : Argument<CallQuery<N>>
      : Argument<CallBody<N>>

/** The control API as methods, one a call. control-api: "Typed client" */
export type Admin = {
  [N in CallName]: (...args: [...PathArguments<Call<N>['path']>, ...Given<N>]) => Promise<CallResult<N>>
} & {
  /** What happens from now on, or since an event, for as long as it is read. */
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
    const { method, path, fields } = entryOf(name)
    const names = [...path.matchAll(/:(\w+)/g)].map(([, param]) => param as string)
    const params = Object.fromEntries(names.map((param, index) => [param, args[index]]))
    const given = args.slice(names.length)
    const rest = fields
      ? { body: Object.fromEntries(fields.map((field, index) => [field, given[index]])) }
      : { [method === 'GET' ? 'query' : 'body']: given[0] }
    return call(name, { params, ...rest } as CallParts<CallName>)
  }
