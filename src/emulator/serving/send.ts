import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { discardBody, hasBody } from '../../foundation/http/body-reader.js'
import type { IncomingRequest } from '../../foundation/http/incoming-request.js'
import { clearInterval, setInterval } from '../../foundation/time/real-timers.js'
import type { Identity } from '../world/exchange.js'
import type { Response } from './response.js'

const isJson = (body: Response['body']): body is object => typeof body === 'object' && !Buffer.isBuffer(body)

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' }

/** A response as it is sent and recorded: JSON as text, with its content type. */
export interface SerializedResponse extends Response {
  headers: Record<string, string | string[]>
  body: string | Buffer | undefined
  /** The sender of the request, in whose organization's time the response is dated. */
  identity: Identity
}

/** Writes an object as JSON. */
export function serialize(response: Response, identity: Identity): SerializedResponse {
  const { status, body, headers, stream, broken, notes } = response
  if (!isJson(body)) return { status, headers: headers ?? {}, body, stream, broken, notes, identity }
  const typed = headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE
  return { status, headers: typed, body: JSON.stringify(body), stream, broken, notes, identity }
}

/** Statuses whose responses have no body, and so no length of one. RFC 9110 §8.6 */
const BODILESS = [204, 304]

/** Returns false when a fault breaks the connection before a status is sent. */
export const goesOut = ({ broken }: Response): boolean => broken !== 'reset' && broken !== 'hang' && broken !== 'empty'

/**
 * Sends a response, whole or broken by a fault.
 * @param connection TCP socket of the request: a socket of TLS cannot be reset.
 * @param now ms since 1970 on the clock of the sender's organization, for `Date`. wire: §1
 */
export async function send(
  response: SerializedResponse,
  request: IncomingRequest,
  res: ServerResponse,
  connection: Socket,
  now: number,
) {
  const { status, body = '', stream, broken } = response
  const { message, method } = request
  const headers: SerializedResponse['headers'] = { date: new Date(now).toUTCString(), ...response.headers }
  if (broken === 'hang') return void (await once(request.signal, 'abort'))
  if (broken === 'reset') return void connection.resetAndDestroy()
  if (broken === 'empty') return void message.socket.destroy()
  if (stream) {
    res.writeHead(status, headers)
    return method === 'HEAD' ? void res.end() : sendEvents(stream, res, request.signal)
  }
  const length = Buffer.byteLength(body)
  const isUnread = hasBody(message) && !message.readableEnded
  if (!BODILESS.includes(status)) headers['content-length'] = String(length)
  if (isUnread) headers.connection = 'close'
  res.writeHead(status, headers)
  if (broken === 'truncate') {
    const half = Buffer.from(body).subarray(0, Math.floor(length / 2))
    res.write(half, () => message.socket.destroy())
    return
  }
  const bytes = method === 'HEAD' ? '' : body
  if (isUnread) return endAfterBody(bytes, message, res)
  res.end(bytes)
}

/** Sends the response whole before the connection closes, to a client that is still sending. */
async function endAfterBody(bytes: string | Buffer, message: IncomingMessage, res: ServerResponse): Promise<void> {
  if (bytes.length === 0) res.flushHeaders()
  else res.write(bytes)
  await discardBody(message)
  res.end()
}

/** The interval of comments in ms, which keeps proxies from ending a silent stream. control-api: "Journal" */
const KEEP_AWAKE = 15_000

/** Sends server-sent events no faster than the client reads. */
async function sendEvents(stream: NonNullable<Response['stream']>, res: ServerResponse, signal: AbortSignal) {
  res.flushHeaders()
  const awake = setInterval(() => {
    if (!res.writableNeedDrain) res.write(':\n\n')
  }, KEEP_AWAKE)
  try {
    for await (const text of stream) {
      if (!res.write(text)) await drained(res, signal)
    }
  } finally {
    clearInterval(awake)
    res.end()
  }
}

/** Resolves when the client has read what was written, or has gone away. */
const drained = (res: ServerResponse, signal: AbortSignal) => once(res, 'drain', { signal }).catch(() => undefined)
