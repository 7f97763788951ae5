import { join } from 'node:path'
import { atMost, figureOf } from '../figures.js'
import type { Measurement } from '../measurement.js'
import { ROOT } from '../processes.js'
import { slope, summarize } from '../sampling.js'
import { compare } from './compare.js'

const worlds = {
  'mockademy, default world': {},
  'mockademy, minimal world': { fixtures: join(ROOT, 'fixtures', 'minimal.json') },
}

/** `startEmulator()` when the process has started one before. */
const startId = 'in-process/start'
export const startInProcess: Measurement = {
  id: startId,
  async measure(bench) {
    const guests = await Promise.all(
      Object.entries(worlds).map(async ([name, options]) => ({ name, guest: await bench.guest(options) })),
    )
    const contenders = guests.map(({ name, guest }) => ({
      name,
      once: () => guest.call('starts', bench.times(40, 20)),
    }))
    const row = await compare(bench, { id: startId, unit: 'ms', rounds: bench.times(9, 5), contenders })
    for (const { guest } of guests) await guest.stop()
    const goals = Object.keys(worlds).map((name) => atMost(2, figureOf(row.figures, name).median, `${name}: ms`))
    return { title: 'startEmulator() after the first in its process', ...row, goals }
  },
}

/** A cycle may cost this many KB of heap by the fit alone: what is left is compiled code and rounding. */
const NOISE = 1

/** Starting and closing again and again: what is never given back. */
const cyclesId = 'in-process/cycles'
export const cycles: Measurement = {
  id: cyclesId,
  async measure(bench) {
    const total = bench.times(1000, 200)
    const guest = await bench.guest({})
    const before = (await guest.call('memory')).handles
    await guest.call('cycles', total / 5)
    const points: { x: number; y: number }[] = []
    for (let done = 0; done <= total; done += total / 10) {
      if (done > 0) await guest.call('cycles', total / 10)
      points.push({ x: done, y: (await guest.call('memory')).heap })
    }
    const { handles } = await guest.call('memory')
    await guest.stop()
    const growth = slope(points)
    const open = [...handles]
    for (const handle of before) if (open.includes(handle)) open.splice(open.indexOf(handle), 1)
    const heaps = points.map(({ y }) => y)
    const peers = await bench.peers?.answersFor(cyclesId, bench)
    const grown = peers?.contenders ?? []
    const beside = await Promise.all(
      grown.map(async ({ name, once }) => `${name}: ${(await once()).toFixed(2)} KB a cycle`),
    )
    await peers?.close()
    return {
      title: `heap over ${total} start/stop cycles, each answering one request, after ${total / 5} to warm up`,
      figures: [
        {
          name: 'mockademy, heap after a collection',
          unit: 'KB',
          values: heaps,
          ...summarize(heaps),
          beside: { 'KB a cycle': growth },
        },
      ],
      goals: [atMost(NOISE, growth, 'heap growth: none, KB a cycle'), atMost(0, open.length, 'handles left open')],
      notes: [...open.map((handle) => `left open: ${handle}`), ...beside, ...(peers?.notes() ?? [])],
    }
  },
}
