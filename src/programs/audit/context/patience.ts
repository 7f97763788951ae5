/** Responses of the app that tell how fast it is at the moment. */
const RECENT = 9
/** Usual responses for which work of the app is waited beyond `background`, and the real milliseconds of that at most. */
const RESPONSES = 10
const MOST = 3_000
/** Real milliseconds after which a check is given up, usual responses that it has beyond them, and the most in all. */
const LONGEST_CHECK = 120_000
const RESPONSES_OF_CHECK = 400
const LONGEST_OF_ALL = 300_000

export type Patience = ReturnType<typeof createPatience>

/** Time to wait for work that an app does after an acknowledgement. @param background real milliseconds, of the audit's file. */
export function createPatience(background: number) {
  const recent: number[] = []
  let effect = 0
  const usual = () => recent.toSorted((a, b) => a - b)[Math.floor(recent.length / 2)] ?? 0
  return {
    /** Takes note of the real milliseconds that a response of the app took. */
    onResponse(duration: number): void {
      recent.push(duration)
      if (recent.length > RECENT) recent.shift()
    },
    /** Takes note of the real milliseconds from an acknowledgement until it takes effect, when nothing else is going on. */
    onEffect(lateness: number): void {
      effect = lateness
    },
    /** Returns what `onEffect` took note of; 0 before. */
    lateness: () => effect,
    /**
     * Returns `background`, and the time of ten usual responses of the app at the moment: what makes it respond slowly,
     * such as a busy machine, makes its queues slow too. Or that of ten events, which a check may send at once.
     */
    background(): number {
      return background + Math.min(MOST, RESPONSES * Math.max(usual(), effect))
    },
    /** Returns the real milliseconds that a check may take: more while the app responds slowly, but not when it hangs. */
    longestCheck(): number {
      return Math.min(LONGEST_OF_ALL, LONGEST_CHECK + RESPONSES_OF_CHECK * usual())
    },
  }
}
