import { performance } from 'node:perf_hooks'
import timers from 'node:timers'
import promises from 'node:timers/promises'

// Taken when the package is loaded: tests fake those of the global object and of the modules, and a client in such a
// test gets its responses from the emulator of its process all the same.
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers
/** Resolves after this many real milliseconds. */
export const pause = promises.setTimeout
export { performance }
