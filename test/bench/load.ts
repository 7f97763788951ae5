import autocannon, { type Result } from 'autocannon'
import type { Call } from './client.js'
import { median, percentile } from './sampling.js'

export interface Throughput {
  /** Answers a second. */
  rate: number
  /** Of single requests, in milliseconds. */
  p50: number
  p99: number
}

/**
 * Sends `amount` requests over that many kept connections, each sending the next when it has its answer.
 * @throws Error when one is not answered with a 2xx.
 */
export async function throughput(url: string, call: Call, connections: number, amount: number): Promise<Throughput> {
  const durations: number[] = []
  const { method = 'GET', headers = {}, body } = call
  const began = performance.now()
  let ended = began
  const result = await new Promise<Result>((resolve, reject) => {
    const options = { url, method: method as 'GET', headers, connections, amount, ...(body !== undefined && { body }) }
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)))
    // The library's own percentiles are whole milliseconds; its events have the fractions.
    run.on('response', (_client, _status, _bytes, duration) => {
      durations.push(duration)
      ended = performance.now()
    })
  })
  if (result.errors > 0 || result['2xx'] < amount) {
    throw new Error(`${url}: ${amount - result['2xx']} of ${amount} requests failed (${result.non2xx} not 2xx).`)
  }
  return { rate: amount / ((ended - began) / 1000), p50: median(durations), p99: percentile(durations, 0.99) }
}
