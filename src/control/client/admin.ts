import type { ArgumentOf, CallBody, CallName, CallQuery, CallResult, PathOf } from '../admin/calls.js'
import type { ReportOptions } from '../run-report/run-report.js'
import type { StreamEvent, StreamOptions } from './event-stream.js'

/** The names in a path, as arguments. */
type PathArguments<P extends string> = P extends `${string}:${string}/${infer Rest}`
  ? [name: string, ...PathArguments<Rest>]
  : P extends `${string}:${string}`
    ? [name: string]
    : []

/** The last argument: optional where each part of it is. */
type LastArgument<T> = undefined extends T ? [given?: T] : Record<string, never> extends T ? [given?: T] : [given: T]

/** The fields of a body beside the one that is an argument of its own. */
type Others<Fields> = [keyof Fields] extends [never] ? [] : [others?: Fields]

/** Arguments after the names in the path: one field of the body and then the others, or the body, or the query. */
type Given<N extends CallName> = [ArgumentOf<N>] extends [never]
  ? CallBody<N> extends undefined
    ? CallQuery<N> extends undefined
      ? []
      : LastArgument<CallQuery<N>>
    : LastArgument<CallBody<N>>
  : [
      ...LastArgument<CallBody<N>[ArgumentOf<N> & keyof CallBody<N>]>,
      ...Others<Omit<NonNullable<CallBody<N>>, ArgumentOf<N>>>,
    ]

/** The control API: a method for each of its calls. control-api: "Typed client" */
export type Admin = {
  [N in CallName]: (...args: [...PathArguments<PathOf<N>>, ...Given<N>]) => Promise<CallResult<N>>
} & {
  /** Yields events as they happen, or those after `since`. Ends when the caller stops iterating or the signal aborts. */
  stream(options?: StreamOptions): AsyncGenerator<StreamEvent>
  /**
   * Writes a report of what has happened since the last reset: one HTML file that explains the run. Secrets are redacted
   * as in the journal; texts of the options are written as they are.
   * @param file its path, or that of a folder (one that exists, or ends with a slash), in which the file is named after the title.
   * @returns the path of the file.
   * @throws InvalidOptionsError for a `file` that is no path, and options that do not exist or have invalid values.
   */
  report(file: string, options?: ReportOptions): Promise<string>
  /** Makes a sandbox, as `createSandbox` does, whose methods work on its organization alone. */
  sandbox(options?: CallBody<'createSandbox'>): Promise<Sandbox>
}

/** The filters of a call, without the organization, which the sandbox gives. */
type Bound<Filters> = Omit<NonNullable<Filters>, 'organization'>

/**
 * An organization for one test, with calls that work on it alone. control-api: "Sandboxes"
 * @example
 * const sandbox = await admin.sandbox({ app: 'notes' })
 * await sandbox.clock.advance('61m')
 * await sandbox.end()
 */
export interface Sandbox extends CallResult<'createSandbox'> {
  /** Injects a fault, which matches requests of this organization alone. */
  fault(fault: CallBody<'addFault'>): Promise<CallResult<'addFault'>>
  requests(query?: Bound<CallQuery<'listRequests'>>): Promise<CallResult<'listRequests'>>
  deliveries(query?: Bound<CallQuery<'listDeliveries'>>): Promise<CallResult<'listDeliveries'>>
  findings(query?: Bound<CallQuery<'listFindings'>>): Promise<CallResult<'listFindings'>>
  settled(query?: Bound<CallQuery<'deliveriesSettled'>>): Promise<CallResult<'deliveriesSettled'>>
  /** Makes its tokens expire: access tokens, unless `kind` says otherwise. */
  expireTokens(selection?: Omit<Bound<CallBody<'expireTokens'>>, 'token' | 'all'>): Promise<CallResult<'expireTokens'>>
  /** Signs the person of a role in. @returns the cookie of a new session. */
  sessionFor(role: keyof CallResult<'createSandbox'>['people']): Promise<CallResult<'signIn'>['cookie']>
  /** The clock of its organization. */
  clock: {
    /** Returns its time, as an ISO 8601 date-time. */
    now(): Promise<string>
    advance(by: CallBody<'advanceClock'>['by']): Promise<CallResult<'advanceClock'>>
    freeze(at?: string): Promise<CallResult<'freezeClock'>>
    resume(): Promise<CallResult<'resumeClock'>>
  }
  /** Ends it: its organization and all that was made in it are deleted. */
  end(): Promise<void>
}
