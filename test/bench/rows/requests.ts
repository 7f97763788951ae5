import { createClient } from '../client.js'
import { server } from '../context.js'
import { atLeast, type Figure, figureOf, withRatios } from '../figures.js'
import { type Throughput, throughput } from '../load.js'
import type { Measurement, Served } from '../measurement.js'
import { startServer } from '../processes.js'
import { interleave, median, summarize } from '../sampling.js'
import { bearer, ELEMENT } from '../worlds.js'

const CONNECTIONS = 16
/** Requests before the first that counts: a server is compiled while it runs, and the first thousands are slow ones. */
const WARM_UP = 20_000
const BARE = 'bare express'

/** The authenticated GET of one element of 1 KB, which an express server answers with the same JSON. */
const id = 'read'
export const read: Measurement = {
  id,
  async measure(bench) {
    const path = `/v0/elements/${ELEMENT}`
    const emulator = await bench.sized(1000)
    const client = createClient(emulator.url)
    const { text } = await client.send(path, { headers: bearer })
    client.close()
    const express = await bench.express({ 'GET /v0/elements/:id': { status: 200, body: JSON.parse(text) } })
    const bare = await startServer({ args: [server('bare-http')] })
    const peers = await bench.peers?.servedFor(id, bench)

    const amount = bench.times(8000, 4000)
    const runs = new Map<string, Throughput[]>()
    const contender = ({ name, url, headers, most = amount }: Omit<Served, 'stop'>) => ({
      name,
      async once() {
        const run = await throughput(url, { headers: headers?.() ?? {} }, CONNECTIONS, Math.min(amount, most))
        runs.set(name, [...(runs.get(name) ?? []), run])
        return run.rate
      },
    })
    const served: Omit<Served, 'stop'>[] = [
      { name: 'bare node:http, 15 bytes', url: bare.url },
      { name: BARE, url: express.url + path, headers: () => bearer },
      { name: 'mockademy', url: emulator.url + path, headers: () => bearer },
      ...(peers?.served ?? []),
    ]
    for (const { url, headers, most = WARM_UP } of served) {
      await throughput(url, { headers: headers?.() ?? {} }, CONNECTIONS, Math.min(WARM_UP, most))
    }
    const measured = await interleave(bench.times(9, 5), served.map(contender))
    await Promise.all([bare.stop(), express.stop(), peers?.close()])

    const figures = [...measured].map(([name, rates]): Figure => {
      const of = (part: 'p50' | 'p99') => median((runs.get(name) ?? []).slice(1).map((run) => run[part]))
      return {
        name,
        unit: 'req/s',
        values: rates,
        ...summarize(rates),
        beside: { 'p50 ms': of('p50'), 'p99 ms': of('p99') },
      }
    })
    const compared = withRatios(figures, BARE)
    return {
      title: `authenticated GET of one element, ${text.length} bytes, ${CONNECTIONS} connections`,
      reference: BARE,
      figures: compared,
      goals: [atLeast(2, figureOf(compared, 'mockademy').ratio as number, 'throughput: ratio to bare express')],
      notes: peers?.notes() ?? [],
    }
  },
}
