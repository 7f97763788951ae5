import { createClient } from '../client.js'
import { server } from '../context.js'
import { atMost, figureOf } from '../figures.js'
import { type Bench, type Measurement, spellSize } from '../measurement.js'
import { peakMemory, startServer } from '../processes.js'
import { median, summarize } from '../sampling.js'
import { json, newElement, worldOf } from '../worlds.js'
import { compare } from './compare.js'

const SIZE = 100_000
const BARE = 'bare node:http'
const CLEAN = `mockademy, ${spellSize(SIZE)} elements`
const KILLED = `${CLEAN}, after a kill`
/** Changes that the journal holds after the kill. */
const CHANGES = 300

/** Starting again with a large store, after a stop and after a kill, and the most memory that takes. */
const id = 'restart'
export const restart: Measurement = {
  id,
  async measure(bench) {
    const peaks: number[] = []
    const starting = (name: string, store: string, signal: NodeJS.Signals) => ({
      name,
      async once() {
        const started = await bench.start(store)
        const peak = peakMemory(started.pid)
        if (peak !== undefined) peaks.push(peak)
        await started.stop(signal)
        return started.firstAnswer
      },
    })
    const contenders = [
      {
        name: BARE,
        async once() {
          const started = await startServer({ args: [server('bare-http')] })
          await started.stop()
          return started.firstAnswer
        },
      },
      starting(CLEAN, await bench.storeOf(SIZE), 'SIGTERM'),
      starting(KILLED, await killedStore(bench), 'SIGKILL'),
    ]
    const row = await compare(bench, { id, unit: 'ms', rounds: bench.times(7, 3), reference: BARE, contenders })
    const figures = [CLEAN, KILLED].map((name) => figureOf(row.figures, name))
    const notes = peaks.length === 0 ? ['this system does not say how much memory a process has held'] : []
    if (peaks.length > 0) for (const figure of figures) figure.beside = { 'peak MB': median(peaks) }
    const [clean, killed] = figures.map((figure) => figure.median) as [number, number]
    return {
      title: `process start to the first answer with a store of ${spellSize(SIZE)} elements`,
      ...row,
      goals: [
        atMost(600, clean, 'after a stop, ms'),
        atMost(900, killed, 'after a kill, ms'),
        ...(peaks.length === 0 ? [] : [atMost(350, median(peaks), 'peak memory, MB')]),
      ],
      notes: [...row.notes, ...notes],
    }
  },
}

/** A store whose process was killed when it had written changes. */
async function killedStore(bench: Bench): Promise<string> {
  const store = await bench.storeOf(SIZE)
  const emulator = await bench.start(store)
  const client = createClient(emulator.url)
  for (let count = 0; count < CHANGES; count++) {
    await client.send('/v0/elements', { method: 'POST', headers: json, body: newElement(`Late ${count}`) })
  }
  client.close()
  await emulator.stop('SIGKILL')
  return store
}

/** The most memory that the first start with a large fixture document takes. */
const loadId = 'first-load'
export const firstLoad: Measurement = {
  id: loadId,
  async measure(bench) {
    const document = worldOf(SIZE)
    const peaks: number[] = []
    for (let round = 0; round < bench.times(3, 1); round++) {
      const started = await bench.startWith(document)
      peaks.push(peakMemory(started.pid) ?? Number.NaN)
      await started.stop()
    }
    const { median: peak, ...rest } = summarize(peaks)
    return {
      title: `peak memory of a first start with a document of ${spellSize(SIZE)} elements`,
      figures: [{ name: 'mockademy', unit: 'MB', values: peaks, median: peak, ...rest }],
      goals: [atMost(400, peak, 'peak memory, MB')],
      notes: [],
    }
  },
}
