import type * as z from 'zod'
import type { ParamsOf } from '../../emulator/serving/route.js'
import type { Warning } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import type { schemas } from './call-schemas.js'
import type { CallName, calls } from './calls.js'

// What the table and the schemas say of a call, for the compiler: handlers and client are typed by it.

type SchemasOf<N extends CallName> = (typeof schemas)[N]
type Part<N extends CallName, P extends string> =
  SchemasOf<N> extends { [K in P]: infer S extends z.ZodType } ? S : undefined
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined
type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined

type Answer<N extends CallName> = z.input<SchemasOf<N>['answer']>
/** What a call comes to: an array where the answer is a list. */
export type CallResult<N extends CallName> = (typeof calls)[N] extends { list: true } ? Answer<N>[] : Answer<N>

/** The query as a client gives it; undefined where a call takes none. */
export type CallQuery<N extends CallName> = InputOf<Part<N, 'query'>>
/** The body as a client gives it; undefined where a call takes none. */
export type CallBody<N extends CallName> = InputOf<Part<N, 'body'>>

/** What a handler gets: the request's parts as the schemas read them. */
export interface CallInput<N extends CallName> {
  params: Record<ParamsOf<(typeof calls)[N]['path']>, string>
  query: OutputOf<Part<N, 'query'>>
  body: SchemasOf<N> extends { checksBody: string } ? unknown : OutputOf<Part<N, 'body'>>
  /** Aborts when the client goes away before the answer, or the emulator closes. */
  signal: AbortSignal
  /** Adds a warning to the request's entry in the journal. */
  warn(warning: Warning): void
}

/** Does what a call says. @returns its answer; for a list, the items. @throws Refusal */
export type CallHandler<N extends CallName> = (
  world: World,
  input: CallInput<N>,
) => CallResult<N> | Promise<CallResult<N>>

/** A handler for each of the calls. */
export type Handlers<N extends CallName> = { [K in N]: CallHandler<K> }

/** The names in a path, as arguments. */
export type PathArguments<P extends string> = P extends `${string}:${string}/${infer Rest}`
  ? [name: string, ...PathArguments<Rest>]
  : P extends `${string}:${string}`
    ? [name: string]
    : []
