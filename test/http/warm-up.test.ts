import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { surfaces, warmUp } from '../../src/control/start/surfaces.js'

test('a surface that cannot be loaded ahead of its first request does not end the process', async () => {
  const rejected = vi.fn()
  process.on('unhandledRejection', rejected)
  const load = vi.fn(() => Promise.reject(new Error('gone')))
  surfaces.unshift({ at: '/gone', load })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const world = { keys: { prepare: () => {} }, closing: new AbortController().signal }
    warmUp(world as unknown as Parameters<typeof warmUp>[0])
    vi.advanceTimersByTime(2_000)
    vi.useRealTimers()
    await expect.poll(() => load.mock.calls.length).toBe(1)
    // A rejection is reported after its turn.
    for (let turns = 0; turns < 3; turns++) await turn()
    expect(rejected).not.toHaveBeenCalled()
  } finally {
    vi.useRealTimers()
    surfaces.shift()
    process.off('unhandledRejection', rejected)
  }
})
