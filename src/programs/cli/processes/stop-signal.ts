import { once } from 'node:events'

/** Exit status of a command that Ctrl+C or another stop signal ended. control-api: "CLI" */
export const INTERRUPTED = 130

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Milliseconds between two looks for the parent. */
const POLL_INTERVAL = 500

let isAsked = false

/**
 * Returns a controller that aborts when the process is asked to end, by a signal or because the `npx` or `npm` that runs
 * it is gone. With `hasToFinish`, a second signal does not end the process, which still has a world to restore or an app
 * to end.
 */
export function abortOnStop({ hasToFinish = false } = {}): AbortController {
  const stopping = new AbortController()
  const stop = () => {
    isAsked = true
    stopping.abort()
  }
  onOrphaned(stop)
  for (const signal of stopSignals) process[hasToFinish ? 'on' : 'once'](signal, stop)
  return stopping
}

/** Resolves when the process is asked to end. */
export const untilStop = async (): Promise<unknown> => once(abortOnStop().signal, 'abort')

/** Returns true once the process has been asked to end. */
export const isAskedToStop = () => isAsked

/** `npx` and `npm` exit on a signal without forwarding it; the orphan would keep its port and store. */
function onOrphaned(end: () => void): void {
  if (process.env.npm_command === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, POLL_INTERVAL)
  timer.unref()
}
