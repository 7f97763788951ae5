import { statSync } from 'node:fs'
import { type Client, createClient } from '../client.js'
import type { Figure } from '../figures.js'
import type { Measurement } from '../measurement.js'
import { median, percentile, summarize } from '../sampling.js'
import { bearer, ELEMENT, json, newElement } from '../worlds.js'

const SIZE = 100_000
/** The longest that a fold is waited for, in milliseconds. */
const PATIENCE = 60_000

/** Request latency while a journal larger than its snapshot is folded, and without a fold. */
const id = 'fold'
export const fold: Measurement = {
  id,
  async measure(bench) {
    const store = await bench.storeOf(SIZE)
    const emulator = await bench.start(store)
    const client = createClient(emulator.url)
    const journal = () => statSync(`${store}.journal`).size
    await requests(client, () => 300)
    const quiet = await requests(client, () => bench.times(4000, 800))

    const snapshot = statSync(store).size
    const content = 'x'.repeat(2_000_000)
    for (let turn = 0; journal() < snapshot; turn++) {
      const body = JSON.stringify({ content: content + turn })
      await client.send(`/v0/elements/${ELEMENT}`, { method: 'PATCH', headers: json, body })
    }
    const grown = journal()
    const began = performance.now()
    const folding = await requests(client, (done) => {
      if (performance.now() - began > PATIENCE) throw new Error(`The journal was not folded within ${PATIENCE} ms.`)
      return journal() < grown / 2 ? done : done + 1
    })
    const took = performance.now() - began
    client.close()
    await emulator.stop()

    const figures = Object.entries({ 'without a fold': quiet, 'while it is folded': folding }).map(
      ([name, durations]): Figure => ({
        name,
        unit: 'ms',
        values: [],
        ...summarize(durations),
        rounds: durations.length,
        beside: { p50: median(durations), p99: percentile(durations, 0.99) },
      }),
    )
    return {
      title: 'single requests (four reads for each create) while the journal is folded, 100,000 elements',
      figures,
      goals: [],
      notes: [`folding ${(grown / 2 ** 20).toFixed(0)} MB of journal took ${(took / 1000).toFixed(1)} s`],
    }
  },
}

/** Sends one request after the other until as many are done as `until` says. @returns their durations, in ms. */
async function requests(client: Client, until: (done: number) => number): Promise<number[]> {
  const durations: number[] = []
  while (durations.length < until(durations.length)) {
    const turn = durations.length
    const began = performance.now()
    if (turn % 5 === 0) {
      await client.send('/v0/elements', { method: 'POST', headers: json, body: newElement(`Folded ${turn}`) })
    } else await client.send(`/v0/elements/e${turn % 1000}`, { headers: bearer })
    durations.push(performance.now() - began)
  }
  return durations
}
