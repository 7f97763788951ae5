/** Returns the result of `work`, or undefined when it throws: for work that any error means has no result. */
export function unlessThrows<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
