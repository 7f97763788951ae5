/** Responses of the app that tell how fast it is at the moment. */
const RECENT = 9
/** Usual responses for which work of the app is waited beyond `background`, and the real milliseconds of that at most. */
const RESPONSES = 10
const MOST = 3_000

/** Time to wait for work that an app does after an acknowledgement. */
export interface Patience {
  /** Takes note of the real milliseconds that a response of the app took. */
  onResponse(duration: number): void
  /**
   * Returns `background`, and the time of ten usual responses of the app at the moment: what makes it respond slowly,
   * such as a busy machine, makes its queues slow too.
   */
  background(): number
}

/** @param background real milliseconds, of the audit's file. */
export function createPatience(background: number): Patience {
  const recent: number[] = []
  return {
    onResponse(duration) {
      recent.push(duration)
      if (recent.length > RECENT) recent.shift()
    },
    background() {
      const usual = recent.toSorted((a, b) => a - b)[Math.floor(recent.length / 2)] ?? 0
      return background + Math.min(MOST, RESPONSES * usual)
    },
  }
}
