/** Milliseconds between the first tries; each later wait is half as long again, up to the longest. */
const FIRST_WAIT = 30
const LONGEST_WAIT = 500

/** Reads until the value holds or these real milliseconds are over; at least once. Returns the last value and the tries. */
export async function poll<T>(
  read: () => Promise<T>,
  isRight: (value: T) => boolean,
  { within, wait }: { within: number; wait: (ms: number) => Promise<void> },
): Promise<{ value: T; holds: boolean; tries: number }> {
  const begun = performance.now()
  let pause = FIRST_WAIT
  for (let tries = 1; ; tries++) {
    const value = await read()
    const left = within - (performance.now() - begun)
    const holds = isRight(value)
    if (holds || left <= 0) return { value, holds, tries }
    // The last try comes when the time is over, and not before.
    await wait(Math.min(pause, left))
    pause = Math.min(pause * 1.5, LONGEST_WAIT)
  }
}
