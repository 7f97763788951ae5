/** Exit status of a command that Ctrl-C ended. control-api: "CLI" */
export const INTERRUPTED = 130

/**
 * Runs `work` with a signal that Ctrl-C aborts. With `putsBack`, a second Ctrl-C does not end the process, which has
 * something to restore.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { putsBack = false } = {},
): Promise<T> {
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  const listen = putsBack ? 'on' : 'once'
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process[listen](signal, interrupt)
  try {
    return await work(interruption.signal)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}
