import type { Store } from '../../foundation/store/store.js'
import type { Clock } from '../world/clock.js'
import type { Holds } from '../world/parts.js'
import { organizationIn } from './fault-record.js'

/** Creates the holds of a world. The end of a fault releases the requests that wait for it. control-api: "Faults" */
export function createHolds(store: Store, clock: Pick<Clock, 'schedule'>): Holds {
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
        const record = store.faults.get(fault)
        if (signal.aborted || !record) return resolve()
        const waiters = waiting.get(fault) ?? new Set()
        waiting.set(fault, waiters.add(resolve))
        const leave = () => {
          waiters.delete(resolve)
          resolve()
        }
        signal.addEventListener('abort', leave, { once: true })
        if (waiters.size >= size) return release(fault)
        const { expires_at } = record
        if (expires_at === null) return
        clock.schedule(organizationIn(record), `hold/${fault}`, Date.parse(expires_at), () => release(fault))
      }),
    releaseAll() {
      for (const fault of [...waiting.keys()]) release(fault)
    },
  }
}
