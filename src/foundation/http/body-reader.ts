import type { IncomingMessage } from 'node:http'
import { clearTimeout, setTimeout } from '../time/real-timers.js'
import type { IncomingRequest } from './incoming-request.js'

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Reads the body into the request, up to `limit` bytes; of a larger one nothing is kept and the rest is not waited for.
 * @param patience real milliseconds after which a body that is not there is not waited for; without end when left out.
 * @returns false when the client went away before its body was there.
 */
export function readBody(request: IncomingRequest, limit: number, patience?: number): Promise<boolean> {
  const { message } = request
  if (Number(message.headers['content-length'] ?? 0) > limit) {
    request.bodyTooLarge = true
    return Promise.resolve(true)
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (arrived: boolean) => {
      clearTimeout(timer)
      message.off('data', take).off('end', whole).off('error', lost).off('close', lost)
      resolve(arrived)
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      request.bodyTooLarge = true
      message.pause()
      end(true)
    }
    const whole = () => {
      request.body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      end(true)
    }
    const lost = () => end(false)
    const timer = patience === undefined ? undefined : setTimeout(() => end(true), patience)
    message.on('data', take).on('end', whole).on('error', lost).on('close', lost)
  })
}

/** The bytes of an unwanted body that are read all the same, so that its sender can read the response. */
const DISCARDED = 64 * 1024 * 1024
/** Real milliseconds for which that goes on. */
const PATIENCE = 2_000

/**
 * Reads on and throws away, for a while: a connection that is closed in the middle of a request is reset, and its client
 * may never see the response. @returns when the sender is done, or has had its time.
 */
export function discardBody(message: IncomingMessage): Promise<void> {
  if (message.readableEnded || message.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let left = DISCARDED
    const end = () => {
      clearTimeout(timer)
      message.off('data', take).off('end', end).off('error', end).off('close', end)
      resolve()
    }
    const take = (chunk: Buffer) => {
      left -= chunk.length
      if (left <= 0) end()
    }
    const timer = setTimeout(end, PATIENCE)
    message.on('data', take).on('end', end).on('error', end).on('close', end).resume()
  })
}
