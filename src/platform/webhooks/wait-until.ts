import { setTimeout as wait } from 'node:timers/promises'

interface Limits {
  /** Real milliseconds: what is waited for is real too. */
  timeout: number
  signal: AbortSignal
}

/**
 * Waits until `look` finds something, looking again whenever `subscribe` calls back.
 * @returns what it found; undefined when the time is over, or the signal aborts.
 */
export async function waitUntil<T>(
  look: () => T | undefined,
  subscribe: (listener: () => void) => () => void,
  { timeout, signal }: Limits,
): Promise<T | undefined> {
  const found = look()
  if (found !== undefined || timeout <= 0) return found
  const over = new AbortController()
  let result: T | undefined
  const unsubscribe = subscribe(() => {
    result = look()
    if (result !== undefined) over.abort()
  })
  const either = AbortSignal.any([over.signal, signal])
  await wait(Math.min(timeout, 2 ** 31 - 1), undefined, { signal: either }).catch(() => undefined)
  unsubscribe()
  return result ?? look()
}
