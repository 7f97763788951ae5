/** Number of latest responses from which the app's present speed is taken. */
const RECENT = 9
/** Usual response times by which `background` is extended. */
const BACKGROUND_RESPONSES = 10
const MAX_EXTENSION_MS = 3_000
const CHECK_TIMEOUT_MS = 120_000
/** Usual response times by which that time limit is extended. */
const CHECK_RESPONSES = 400
const MAX_CHECK_TIMEOUT_MS = 300_000
/** Times that a check may wait for `background`. */
const CHECK_BACKGROUNDS = 6

export type Patience = ReturnType<typeof createPatience>

/** Time limits that adapt to how fast the app responds. @param background setting of the audit's file, in ms. */
export function createPatience(background: number) {
  const recent: number[] = []
  let effectDelay = 0
  const usual = () => recent.toSorted((a, b) => a - b)[Math.floor(recent.length / 2)] ?? 0
  return {
    /** Records how long a response of the app took, in ms. */
    onResponse(duration: number): void {
      recent.push(duration)
      if (recent.length > RECENT) recent.shift()
    },
    /** Records how long an acknowledged event took to have its effect on an idle app, in ms. */
    onEffect(delay: number): void {
      effectDelay = delay
    },
    /** Returns the last value of `onEffect`; 0 before the first. */
    effectDelay: () => effectDelay,
    /** Returns `background`, extended for an app that is slow at present: its queue is slow, too, and a check may fill it. */
    background(): number {
      return background + Math.min(MAX_EXTENSION_MS, BACKGROUND_RESPONSES * Math.max(usual(), effectDelay))
    },
    /** Returns the time limit of a check in ms: longer while the app responds slowly, but not while it hangs, plus its waits for `background`. */
    checkTimeout(): number {
      const time = Math.min(MAX_CHECK_TIMEOUT_MS, CHECK_TIMEOUT_MS + CHECK_RESPONSES * usual())
      return time + CHECK_BACKGROUNDS * background
    },
  }
}
