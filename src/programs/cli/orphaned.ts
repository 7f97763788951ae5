const LOOK = 500

/**
 * Calls `end` when the `npx` or `npm` that runs this process is gone: it ends on a signal without passing it on, and
 * what it started would keep port and store.
 */
export function orphaned(end: () => void): void {
  if (process.env.npm_command === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, LOOK)
  timer.unref()
}
