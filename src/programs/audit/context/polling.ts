/** Milliseconds between the first tries; each later wait is half as long again, up to the longest. */
const FIRST_WAIT = 30
const LONGEST_WAIT = 500

/** The last result of a poll. */
export interface Polled<T> {
  value: T
  holds: boolean
  /** Real milliseconds from the first try to the end of the last one. */
  duration: number
}

/**
 * Reads again and again until the value holds or the time is over; at least once.
 * @param within real milliseconds.
 */
export async function poll<T>(
  read: () => Promise<T>,
  isRight: (value: T) => boolean,
  { within, wait }: { within: number; wait: (ms: number) => Promise<void> },
): Promise<Polled<T>> {
  const begun = performance.now()
  for (let pause = FIRST_WAIT; ; pause = Math.min(pause * 1.5, LONGEST_WAIT)) {
    const value = await read()
    const duration = performance.now() - begun
    const holds = isRight(value)
    if (holds || duration >= within) return { value, holds, duration }
    // The last try comes when the time is over, and not before.
    await wait(Math.min(pause, within - duration))
  }
}
