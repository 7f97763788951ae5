import { joinedFields } from '../http/header-fields.js'
import { type IncomingResponse, type OutgoingRequest, SendFailure, send } from './send.js'
import type { TargetRules } from './targets.js'

/** A request to the app, or one that a browser would send to the emulator. Redirects are not followed. */
export interface GuardedRequest extends Pick<OutgoingRequest, 'method' | 'url' | 'headers' | 'body'> {
  /** Time limit for the whole response, in real milliseconds. */
  timeout: number
}

export interface GuardedExchange extends Pick<OutgoingRequest, 'method' | 'url'> {
  headers: Record<string, string>
  body: string | Buffer | undefined
  /** Null without a response; `error` says why. */
  status: number | null
  error: string | null
  response: { headers: Record<string, string>; cookies: string[]; body: string }
  /** Real milliseconds. */
  duration: number
}

export type GuardedClient = (sending: GuardedRequest) => Promise<GuardedExchange>

interface ClientOptions extends Pick<OutgoingRequest, 'ca' | 'onConnection'> {
  /** Settings of the emulator. wire: §7 "who is called" */
  rules: TargetRules
  /** Aborts requests under way. */
  signal: AbortSignal
  /** Called once with every exchange. */
  onExchange?: (exchange: GuardedExchange) => void
}

/** Sends requests to loopback, private and trusted hosts alone. Network errors are part of the exchange. */
export function createGuardedClient({ rules, signal, onExchange, ca, onConnection }: ClientOptions): GuardedClient {
  const common = { limit: 2 * 1024 * 1024, targets: rules, signal, ca, onConnection }
  return async (sending) => {
    const { method, url, headers = {}, body } = sending
    const result = await send({ ...sending, ...common }).catch((error: unknown) => {
      if (error instanceof SendFailure) return error
      throw error
    })
    const exchange: GuardedExchange = { method, url, headers, body, ...received(result), duration: result.duration }
    onExchange?.(exchange)
    return exchange
  }
}

function received(result: IncomingResponse | SendFailure): Pick<GuardedExchange, 'status' | 'error' | 'response'> {
  const none = { status: null, response: { headers: {}, cookies: [], body: '' } }
  if (result instanceof SendFailure) return { ...none, error: describeFailure(result) }
  const { status, headers, body, cut } = result
  if (cut?.kind === 'timeout') return { ...none, error: cut.message }
  if (cut?.kind === 'network') return { ...none, error: `the response was cut off: ${cut.message}` }
  const cookies = headers['set-cookie'] ?? []
  return { status, error: null, response: { headers: joinedFields(headers), cookies, body: body.toString() } }
}

function describeFailure({ kind, code, message }: SendFailure): string {
  if (kind === 'aborted') return 'the run was interrupted'
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  return code === 'ECONNRESET' ? 'the connection was reset' : message
}
