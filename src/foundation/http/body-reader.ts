import type { IncomingMessage } from 'node:http'
import { clearTimeout, setTimeout } from '../time/real-timers.js'
import type { IncomingRequest } from './incoming-request.js'

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Reads the body into the request. Of a body larger than `limit` bytes it sets `exceededLimit` and does not wait for the
 * rest. Nothing is kept of such a body, unless there is a timeout: then its beginning is.
 * @param timeout real milliseconds, for a request that is refused; a smaller body that is incomplete by then stays empty.
 * No limit when left out.
 * @returns false when the client disconnected first.
 */
export function readBody(request: IncomingRequest, limit: number, timeout?: number): Promise<boolean> {
  const { message } = request
  if (Number(message.headers['content-length'] ?? 0) > limit) request.exceededLimit = limit
  if (request.exceededLimit !== undefined && timeout === undefined) return Promise.resolve(true)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (arrived: boolean) => {
      if (request.exceededLimit !== undefined && timeout !== undefined) request.body = Buffer.concat(chunks)
      clearTimeout(timer)
      message.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose)
      resolve(arrived)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      request.exceededLimit = limit
      message.pause()
      end(true)
    }
    const onEnd = () => {
      request.body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      end(true)
    }
    const onClose = () => end(request.exceededLimit !== undefined)
    const timer = timeout === undefined ? undefined : setTimeout(() => end(true), timeout)
    message.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose)
  })
}

/** Bytes of an unread body that are read and dropped, so that the client can read the response. */
const MAX_DISCARDED = 64 * 1024 * 1024
/** Real milliseconds. */
const DISCARD_TIMEOUT = 2_000

/**
 * Reads and drops the rest of a body for a while: closing the connection during a request resets it, and the client may
 * never see the response. Resolves when the client has finished, or a limit is reached.
 */
export function discardBody(message: IncomingMessage): Promise<void> {
  if (message.readableEnded || message.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let left = MAX_DISCARDED
    const end = () => {
      clearTimeout(timer)
      message.off('data', onData).off('end', end).off('error', end).off('close', end)
      resolve()
    }
    const onData = (chunk: Buffer) => {
      left -= chunk.length
      if (left <= 0) end()
    }
    const timer = setTimeout(end, DISCARD_TIMEOUT)
    message.on('data', onData).on('end', end).on('error', end).on('close', end).resume()
  })
}
