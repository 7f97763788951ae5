import type { Store } from '../../foundation/store/store.js'
import type { Holds } from '../world/parts.js'

/** Creates what keeps the requests of `hold` faults. Deleting a fault releases its requests. control-api: "Faults" */
export function createHolds(store: Store): Holds {
  const waiting = new Map<string, Set<() => void>>()
  const release = (fault: string) => {
    const waiters = waiting.get(fault)
    waiting.delete(fault)
    for (const go of waiters ?? []) go()
  }
  store.onChange((changes) => {
    for (const { collection, id, after } of changes) if (collection === 'faults' && !after) release(id)
  })
  return {
    wait: (fault, size, signal) =>
      new Promise((resolve) => {
        // During a delay before it, its client may leave, and its fault may be deleted.
        if (signal.aborted || !store.faults.get(fault)) return resolve()
        const waiters = waiting.get(fault) ?? new Set()
        waiting.set(fault, waiters.add(resolve))
        const leave = () => {
          waiters.delete(resolve)
          resolve()
        }
        signal.addEventListener('abort', leave, { once: true })
        if (waiters.size >= size) release(fault)
      }),
    releaseAll() {
      for (const fault of [...waiting.keys()]) release(fault)
    },
  }
}
