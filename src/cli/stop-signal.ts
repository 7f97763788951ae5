import { orphaned } from './orphaned.js'

/** Resolves when somebody wants the process to end. */
export const stopSignal = () =>
  new Promise<void>((resolve) => {
    orphaned(resolve)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
