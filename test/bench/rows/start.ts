import { join } from 'node:path'
import { server } from '../context.js'
import { atMost, figureOf } from '../figures.js'
import type { Measurement } from '../measurement.js'
import { startServer } from '../processes.js'
import { compare } from './compare.js'

const BARE = 'bare node:http'

/** From the start of the process to its first 200 over a fresh connection. */
const id = 'start'
export const start: Measurement = {
  id,
  async measure(bench) {
    const folder = await bench.folder(id)
    const resumed = join(folder, 'resumed.json')
    await (await bench.start(resumed)).stop()
    const bare = (name: string) => () => startServer({ args: [server(name)] })
    const starts = {
      [BARE]: bare('bare-http'),
      'bare express': bare('bare-express'),
      'mockademy, fresh': () => bench.start(join(folder, 'fresh.json'), '--fresh'),
      'mockademy, resumed': () => bench.start(resumed),
    }
    const contenders = Object.entries(starts).map(([name, begin]) => ({
      name,
      async once() {
        const started = await begin()
        await started.stop()
        return started.firstAnswer
      },
    }))
    const row = await compare(bench, { id, unit: 'ms', rounds: bench.times(15, 4), reference: BARE, contenders })
    const ratio = (name: string) => figureOf(row.figures, name).ratio as number
    return {
      title: 'process start to the first answer, the default world loaded',
      ...row,
      goals: ['mockademy, fresh', 'mockademy, resumed'].map((name) => atMost(1.8, ratio(name), `${name}: ratio`)),
    }
  },
}
