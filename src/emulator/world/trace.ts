import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import type { Random } from './random.js'

// Traces of W3C Trace Context. A request without a `traceparent` belongs to none, unless spans are exported, so that what
// goes over the wire has no more headers than the platform's. coverage: "Traces"

/** A trace, and one span of it: 32 and 16 hexadecimal digits. */
export interface TraceContext {
  trace_id: string
  span_id: string
}

/** Returns the id of an entry's trace: its sender's, or else its own. */
export const traceIdOf = ({ sentIn, span }: { sentIn?: TraceContext | undefined; span?: TraceContext | undefined }) =>
  (sentIn ?? span)?.trace_id

/** Makes ids of spans and traces, for what is exported. */
export interface Spans {
  /** Begins the span of an exchange, in the trace of its sender or else in a new one. */
  begin(sender: TraceContext | undefined): TraceContext
}

const version00 = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/
/** Later versions may have more fields, and `ff` is none. */
const later = /^(?!00|ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/

/** Reads `traceparent`; undefined when there is none or it is invalid, which the standard ignores. */
export function senderIn(headers: Record<string, string | string[] | undefined>): TraceContext | undefined {
  const given = headers.traceparent
  if (typeof given !== 'string') return undefined
  const [, trace_id, span_id] = version00.exec(given) ?? later.exec(given) ?? []
  return trace_id !== undefined && span_id !== undefined ? { trace_id, span_id } : undefined
}

/** Returns the value of `traceparent`: sampled, version 00. */
export const traceparent = ({ trace_id, span_id }: TraceContext) => `00-${trace_id}-${span_id}-01`

const current = new AsyncLocalStorage<TraceContext>()

/** Runs `work` in a trace, to which the deliveries that it records then belong. Without a trace it only calls `work`. */
export const inTrace = <T>(trace: TraceContext | undefined, work: () => T): T =>
  trace ? current.run(trace, work) : work()

/** Returns the trace, and in it the span, of the request that is being handled. */
export const currentTrace = (): TraceContext | undefined => current.getStore()

/** Returns a span of the trace of a delivery for one of its attempts, the same in two runs with one seed. */
export function attemptSpan(random: Pick<Random, 'id'>, cause: TraceContext): TraceContext {
  const span_id = hash('sha256', random.id()).slice(0, 16)
  return { trace_id: cause.trace_id, span_id }
}
