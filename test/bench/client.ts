import { Agent, request } from 'node:http'
import { median } from './sampling.js'

export interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** The statuses that are right; a measurement of errors is worth nothing. 200 and 201 when left out. */
  expect?: number[]
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** A client with one kept connection, for requests one after the other. */
export interface Client {
  /** @throws Error when the status is not one of those expected. */
  send: (path: string, call?: Call) => Promise<Answer>
  close: () => void
}

export function createClient(origin: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: (path, { method = 'GET', headers = {}, body, expect = [200, 201] } = {}) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
        const sent = request(origin + path, { agent, method, headers: { ...headers, ...length } }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.once('error', reject)
          response.once('end', () => {
            const text = Buffer.concat(chunks).toString()
            const status = response.statusCode ?? 0
            if (!expect.includes(status)) {
              reject(new Error(`${method} ${path} was answered ${status}: ${text.slice(0, 300)}`))
            } else resolve({ status, headers: response.headers, text })
          })
        })
        sent.once('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/**
 * Runs something that many times, one after the other.
 * @param between runs after each, and its time does not count
 * @returns the median duration, in milliseconds.
 */
export async function medianTime(
  times: number,
  run: (turn: number) => Promise<unknown>,
  between?: (turn: number) => unknown,
): Promise<number> {
  const durations: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const began = performance.now()
    await run(turn)
    durations.push(performance.now() - began)
    await between?.(turn)
  }
  return median(durations)
}
