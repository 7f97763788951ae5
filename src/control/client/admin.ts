import type { ArgumentOf, CallBody, CallName, CallQuery, CallResult, PathOf } from '../admin/calls.js'
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

/** After the names in the path: one field of the body and then the others, or the body, or the query. */
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
  /** Yields events from now on, or those after `since`, until it is no longer read. */
  stream(options?: StreamOptions): AsyncGenerator<StreamEvent>
}
