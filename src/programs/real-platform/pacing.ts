import { setTimeout as pause } from 'node:timers/promises'

/** Real time, handed in so that tests need not wait. */
export interface Watch {
  /** In milliseconds, from any beginning. */
  now(): number
  /** Ends after so many milliseconds; rejects when `signal` aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const machineWatch: Watch = {
  now: () => performance.now(),
  wait: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
}

/**
 * What a request waits for before it is sent, so that requests start at least `1000 / requestsPerSecond` ms apart.
 * @param requestsPerSecond 0: nothing is paced.
 */
export function createPacer(watch: Watch, requestsPerSecond: number, signal?: AbortSignal): () => Promise<void> {
  if (requestsPerSecond === 0) return async () => {}
  const gap = 1000 / requestsPerSecond
  let next = Number.NEGATIVE_INFINITY
  return async () => {
    const now = watch.now()
    const start = Math.max(now, next)
    next = start + gap
    if (start > now) await watch.wait(start - now, signal)
  }
}
