// Formatting a date takes a hundredth of a request's time, and many requests fall into one millisecond, so that the
// latest text of each form is kept.

/** Returns a function that repeats its latest result for the same moment. @param step milliseconds that have one text. */
function keepLatest(step: number, format: (ms: number) => string): (ms: number) => string {
  let latest = Number.NaN
  let text = ''
  return (ms) => {
    const moment = Math.floor(ms / step)
    if (moment !== latest) {
      text = format(ms)
      latest = moment
    }
    return text
  }
}

/** Returns a moment, in ms since 1970, as an ISO 8601 timestamp in UTC with milliseconds. @throws RangeError */
export const timestamp = keepLatest(1, (ms) => new Date(ms).toISOString())

/** Returns a moment, in ms since 1970, as the value of a `Date` header. RFC 9110 §5.6.7 */
export const httpDate = keepLatest(1000, (ms) => new Date(ms).toUTCString())
