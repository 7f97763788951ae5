import { performance } from 'node:perf_hooks'
import timers from 'node:timers'
import promises from 'node:timers/promises'

// Taken at load, so that a test's fake timers do not stop the emulator.
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers
/** Resolves after this many real milliseconds. */
export const pause = promises.setTimeout
/** Resolves after so many real milliseconds, or when the signal aborts. @param ref false: the process may end before. */
export const pauseOrAbort = (ms: number, signal: AbortSignal, { ref = true } = {}): Promise<void> =>
  pause(ms, undefined, { signal, ref }).catch(() => undefined)
/** Resolves in the next turn of the event loop. */
export const nextTurn = promises.setImmediate
export { performance }
