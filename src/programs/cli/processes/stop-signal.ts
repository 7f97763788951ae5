/** Signals that ask a process to end. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Milliseconds between two looks for the parent. */
const POLL_INTERVAL = 500

let isAsked = false

/** Resolves when the process is asked to end, by a signal or because the `npx` or `npm` that runs it is gone. */
export const stopSignal = () =>
  new Promise<void>((resolve) => {
    const stop = () => {
      isAsked = true
      resolve()
    }
    onOrphaned(stop)
    for (const signal of stopSignals) process.once(signal, stop)
  })

/** True once a promise of `stopSignal` is resolved. */
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
