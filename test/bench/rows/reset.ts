import { atMost, figureOf, ratioOf } from '../figures.js'
import { type Measurement, SIZES, spellSize } from '../measurement.js'
import { worldOf } from '../worlds.js'
import { compare } from './compare.js'

const name = (size: number) => `mockademy, ${spellSize(size)} elements`

/** `admin.reset()` of an emulator in the caller's own process, after one change. */
const id = 'reset/in-process'
export const resetInProcess: Measurement = {
  id,
  async measure(bench) {
    const guests = await Promise.all(
      SIZES.map(async (size) => ({
        size,
        guest: await bench.guest({ fixtures: await bench.documentOf(worldOf(size)) }),
      })),
    )
    for (const { guest } of guests) await guest.call('open')
    const contenders = guests.map(({ size, guest }) => ({
      name: name(size),
      once: () => guest.call('resets', bench.times(60, 25)),
    }))
    const row = await compare(bench, {
      id,
      unit: 'ms',
      rounds: bench.times(9, 5),
      reference: name(SIZES[0]),
      contenders,
    })
    for (const { guest } of guests) await guest.stop()
    const figure = (size: number) => figureOf(row.figures, name(size))
    const median = (size: number) => figure(size).median
    const growth = `growth from ${spellSize(SIZES[0])} to ${spellSize(SIZES[2])} elements`
    return {
      title: 'reset through the client of an emulator in the same process, after one change',
      ...row,
      goals: [
        ...SIZES.map((size) => atMost(0.2, median(size), `${name(size)}: ms`)),
        atMost(1.2, ratioOf(figure(SIZES[2]), figure(SIZES[0])), growth),
      ],
    }
  },
}
