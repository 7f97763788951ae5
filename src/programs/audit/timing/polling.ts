/** Time between the first tries; each later wait is half as long again, up to the longest. */
const FIRST_WAIT_MS = 30
const MAX_WAIT_MS = 500

/** Reads until `isRight` accepts the value or `within` ms have passed, at least once. Returns the last value and the tries. */
export async function poll<T>(
  read: () => Promise<T>,
  isRight: (value: T) => boolean,
  { within, wait }: { within: number; wait: (ms: number) => Promise<void> },
): Promise<{ value: T; holds: boolean; tries: number }> {
  const begun = performance.now()
  let pause = FIRST_WAIT_MS
  for (let tries = 1; ; tries++) {
    const value = await read()
    const left = within - (performance.now() - begun)
    const holds = isRight(value)
    if (holds || left <= 0) return { value, holds, tries }
    // The last try comes when the time is over, and not before.
    await wait(Math.min(pause, left))
    pause = Math.min(pause * 1.5, MAX_WAIT_MS)
  }
}
