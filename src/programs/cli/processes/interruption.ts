import { stopSignals } from './stop-signal.js'

/** Exit status of a command that Ctrl+C or another stop signal ended. control-api: "CLI" */
export const INTERRUPTED = 130

/**
 * Runs `work` with a signal that a stop signal aborts. With `restoresWorld`, a second one does not end the process, which
 * still has the world to restore.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { restoresWorld = false } = {},
): Promise<T> {
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  const listen = restoresWorld ? 'on' : 'once'
  for (const signal of stopSignals) process[listen](signal, interrupt)
  try {
    return await work(interruption.signal)
  } finally {
    for (const signal of stopSignals) process.off(signal, interrupt)
  }
}
