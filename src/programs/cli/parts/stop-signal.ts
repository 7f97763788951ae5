/** Milliseconds between two looks for the parent. */
const LOOK = 500

let isAsked = false

/** Resolves when the process is asked to end, by a signal or because the `npx` or `npm` that runs it is gone. */
export const stopSignal = () =>
  new Promise<void>((resolve) => {
    const stop = () => {
      isAsked = true
      resolve()
    }
    onOrphaned(stop)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  })

/** True once a promise of `stopSignal` is resolved. */
export const isAskedToStop = () => isAsked

/** `npx` and `npm` end on a signal without passing it on, and what they started would keep port and store. */
function onOrphaned(end: () => void): void {
  if (process.env.npm_command === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, LOOK)
  timer.unref()
}
