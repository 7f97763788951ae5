import { type IncomingMessage, request as requestHttp } from 'node:http'
import type { WorldChange } from '../../emulator/world/parts.js'
import { RUN_HEADER } from '../../emulator/world/run.js'
import { checkOptionNames } from '../../foundation/schema/options.js'
import type { CallResult } from '../admin/calls.js'
import { pathOfCall } from './call-path.js'
import { adminErrorOf, type Problem, parseResponse, UnreachableError } from './errors.js'
import { eventParser } from './event-parser.js'

/** One event of the live stream. A later reading continues after its `id`. */
export type StreamEvent = { id: number } & (
  | { type: 'request'; data: CallResult<'listRequests'>[number] }
  | { type: 'delivery'; data: CallResult<'getDelivery'> }
  | { type: 'change'; data: { collection: string; id: string; kind: 'put' | 'removed' } }
  | { type: 'clock'; data: CallResult<'clock'> }
  | { type: 'world'; data: { why: WorldChange } }
  | { type: 'finding'; data: CallResult<'listFindings'>[number] }
  /** `missed` events were dropped, because they came faster than they were read. */
  | { type: 'gap'; data: { missed: number } }
)

/** Options of `admin.stream`. */
export interface StreamOptions {
  /** Id of the last event that is known; only new events when left out. */
  since?: number | undefined
  /** Id of a run of an audit or a sweep, or `any`; what runs caused is left out otherwise. */
  run?: string | undefined
  /** Ends the reading. */
  signal?: AbortSignal | undefined
}

/**
 * Yields the events of the emulator at `url`, until the signal aborts or the emulator ends.
 * @throws AdminError when it is refused, UnreachableError without a response.
 */
export async function* readStream(
  url: string,
  token: string | undefined,
  options?: StreamOptions,
): AsyncGenerator<StreamEvent> {
  yield* await openStream(url, token, options)
}

/**
 * Resolves with the events of the emulator when the stream is open: none is missed from then on. There are none when the
 * signal aborts before. @throws as `readStream`
 */
export async function openStream(url: string, token: string | undefined, options: StreamOptions = {}) {
  checkOptionNames(options, ['since', 'run', 'signal'] satisfies (keyof StreamOptions)[])
  const { since, run, signal } = options
  if (signal?.aborted) return eventsOf()
  try {
    return eventsOf(await open(url, pathOfCall('/_admin/stream', {}, { since, run }), token, signal), signal)
  } catch (error) {
    if (signal?.aborted) return eventsOf()
    throw error
  }
}

async function* eventsOf(response?: IncomingMessage, signal?: AbortSignal): AsyncGenerator<StreamEvent> {
  if (!response) return
  const take = eventParser<StreamEvent>()
  try {
    response.setEncoding('utf8')
    for await (const piece of response as AsyncIterable<string>) yield* take(piece)
  } catch (error) {
    // An emulator that ends may break the connection.
    if (!signal?.aborted && !isBroken(error)) throw error
  } finally {
    response.destroy()
  }
}

const isBroken = (error: unknown) =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String((error as NodeJS.ErrnoException).code))

/** Keeps a stream open, which tells the emulator that the run is alive. @throws as `readStream` */
export async function announceRun(url: string, token: string | undefined, run: string, signal: AbortSignal) {
  await open(url, '/_admin/stream', token, signal, { [RUN_HEADER]: run })
}

/** Opens the stream. `fetch` cannot trust the local certificate authority. */
async function open(url: string, path: string, token: string | undefined, signal?: AbortSignal, more: object = {}) {
  const isHttps = url.startsWith('https:')
  const request = isHttps ? (await import('node:https')).request : requestHttp
  const ca = isHttps ? (await import('../../foundation/tls/authority.js')).trustedAuthorities() : undefined
  const headers = {
    accept: 'text/event-stream',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...more,
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url + path, { agent: false, ca, headers, signal }, resolve)
    sent.on('error', (error) => reject(new UnreachableError(url, error.message, { cause: error })))
    sent.end()
  })
  // Ignored for a stream that is not read: the run notices the end of the emulator by its calls.
  response.on('error', () => {})
  if (response.headers['content-type']?.startsWith('text/event-stream')) return response
  let text = ''
  for await (const piece of response) text += String(piece)
  const status = response.statusCode ?? 0
  throw adminErrorOf(status, parseResponse(url, status, text) as Problem, token)
}
