import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request that the app under test was sent. */
export interface Arrival {
  /** The idempotency key: the same on every attempt of one delivery. */
  id: string
  type: string
  /** `data.marker` of a custom event, by which its sender knows it. */
  marker: string | undefined
}

/** An app's webhook endpoint, in this process. */
export interface Receiver {
  url: string
  /** Every request so far, unless `forget` was called. */
  arrivals: Arrival[]
  /** Sets the response status; 200 at first. */
  answerWith: (status: number | ((arrival: Arrival) => number)) => void
  close: () => Promise<void>
}

/** @param keep false: arrivals are not remembered, for runs that would fill the memory with them */
export async function startReceiver({ keep = true } = {}): Promise<Receiver> {
  const arrivals: Arrival[] = []
  let answer: number | ((arrival: Arrival) => number) = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.once('end', () => {
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString())
      const arrival = { id: String(request.headers['platform-idempotency-key']), type, marker: data?.marker }
      if (keep) arrivals.push(arrival)
      response.writeHead(typeof answer === 'number' ? answer : answer(arrival)).end()
    })
  })
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    arrivals,
    answerWith(status) {
      answer = status
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
