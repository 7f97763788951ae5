import { createHook } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { surfaces, warmUp } from '../../src/control/start/surfaces.js'

const world = { keys: { prepare: () => {} }, closing: new AbortController().signal } as unknown as Parameters<
  typeof warmUp
>[0]

test('a surface that cannot be loaded ahead of its first request does not end the process', async () => {
  const rejected = vi.fn()
  process.on('unhandledRejection', rejected)
  const load = vi.fn(() => Promise.reject(new Error('gone')))
  surfaces.unshift({ at: '/gone', load })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    warmUp(world)
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

test('nothing is loaded ahead within Jest, whose environment may have ended by then', () => {
  const begun: string[] = []
  const hook = createHook({ init: (_, type) => void begun.push(type) })
  const warmUpWithin = (worker: string | undefined) => {
    vi.stubEnv('JEST_WORKER_ID', worker)
    hook.enable()
    const stop = warmUp(world)
    hook.disable()
    stop()
    vi.unstubAllEnvs()
    return begun.splice(0)
  }
  expect(warmUpWithin(undefined)).toEqual(['Timeout'])
  expect(warmUpWithin('1')).toEqual([])
})
