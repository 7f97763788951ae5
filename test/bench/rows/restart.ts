import { server } from '../context.js'
import { atMost, figureOf } from '../figures.js'
import { type Measurement, spellSize } from '../measurement.js'
import { peakMemory, startServer } from '../processes.js'
import { median } from '../sampling.js'
import { compare } from './compare.js'

const SIZE = 100_000
const BARE = 'bare node:http'
const NAME = `mockademy, ${spellSize(SIZE)} elements`

/** Starting again with a large store, and the most memory that takes. */
const id = 'restart'
export const restart: Measurement = {
  id,
  async measure(bench) {
    const store = await bench.storeOf(SIZE)
    const peaks: number[] = []
    const contenders = [
      {
        name: BARE,
        async once() {
          const started = await startServer({ args: [server('bare-http')] })
          await started.stop()
          return started.firstAnswer
        },
      },
      {
        name: NAME,
        async once() {
          const started = await bench.start(store)
          const peak = peakMemory(started.pid)
          if (peak !== undefined) peaks.push(peak)
          await started.stop()
          return started.firstAnswer
        },
      },
    ]
    const row = await compare(bench, { id, unit: 'ms', rounds: bench.times(7, 3), reference: BARE, contenders })
    const figure = figureOf(row.figures, NAME)
    const notes = peaks.length === 0 ? ['this system does not say how much memory a process has held'] : []
    if (peaks.length > 0) figure.beside = { 'peak MB': median(peaks) }
    return {
      title: `process start to the first answer with a store of ${spellSize(SIZE)} elements`,
      ...row,
      goals: [
        atMost(900, figure.median, 'ms'),
        ...(peaks.length === 0 ? [] : [atMost(350, median(peaks), 'peak memory, MB')]),
      ],
      notes: [...row.notes, ...notes],
    }
  },
}
