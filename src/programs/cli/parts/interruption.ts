/** Exit status of a command that Ctrl-C ended. control-api: "CLI" */
export const INTERRUPTED = 130

interface Interruptible {
  /** Keeps listening: a second Ctrl-C does not end a process that has something to restore. */
  putsBack?: boolean
  /** Called once, before the signal is aborted. */
  onInterrupt?: () => void
}

/** Runs `work` with a signal that Ctrl-C aborts. */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { putsBack = false, onInterrupt }: Interruptible = {},
): Promise<T> {
  const interruption = new AbortController()
  const interrupt = () => {
    if (interruption.signal.aborted) return
    onInterrupt?.()
    interruption.abort()
  }
  const listen = putsBack ? 'on' : 'once'
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process[listen](signal, interrupt)
  try {
    return await work(interruption.signal)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}
