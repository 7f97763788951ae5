/** Returns the result of `work`; undefined when it throws, whatever it is. */
export function unlessThrows<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
