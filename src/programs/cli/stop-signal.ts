import { orphaned } from './orphaned.js'

let isAsked = false

/** Resolves when somebody wants the process to end. */
export const stopSignal = () =>
  new Promise<void>((resolve) => {
    const stop = () => {
      isAsked = true
      resolve()
    }
    orphaned(stop)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  })

/** Whether one of the promises that `stopSignal` has given is resolved. */
export const isAskedToStop = () => isAsked
