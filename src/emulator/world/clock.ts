import { LONGEST_REAL } from '../../foundation/schema/duration.js'
import type { Store } from '../../foundation/store/store.js'
import type { ClockRecord } from './clock-record.js'
import type { Clock } from './parts.js'
import type { GivenSettings } from './setting-table.js'

/** A callback at a moment of the emulator's clock. */
interface Entry {
  due: number
  run: () => Promise<void> | void
}

const toTimestamp = (ms: number) => new Date(ms).toISOString()

/** A clock over the store's clock record, which `startClock` makes when the world is seeded. */
export function createClock(store: Store): Clock {
  const entries = new Map<string, Entry>()
  let timer: NodeJS.Timeout | undefined
  let advancing = false
  let closed = false
  let epoch = 0

  const record = (): ClockRecord => store.clock.get('clock') ?? startClock({})
  const set = (state: Pick<ClockRecord, 'frozen' | 'at' | 'offset'>) =>
    store.change((tx) => tx.put('clock', { ...record(), ...state }))

  const now = () => {
    const { frozen, at, offset } = record()
    return frozen && at ? Date.parse(at) : Date.now() + offset
  }

  const next = () => {
    let earliest: [string, Entry] | undefined
    for (const entry of entries) if (!earliest || entry[1].due < earliest[1].due) earliest = entry
    return earliest
  }

  /** Takes out and runs all that is due by then, an instant at a time; ends when they have ended. */
  const runDue = async (end: number) => {
    const started = epoch
    for (let instant = next()?.[1].due; instant !== undefined && instant <= end; instant = next()?.[1].due) {
      if (started !== epoch) return
      const due = [...entries].filter(([, entry]) => entry.due === instant)
      for (const [id] of due) entries.delete(id)
      await Promise.all(due.map(([, entry]) => entry.run()))
    }
  }

  const arm = () => {
    clearTimeout(timer)
    const earliest = next()
    if (closed || advancing || !earliest) return
    const wait = earliest[1].due - now()
    if (record().frozen && wait > 0) return
    // A later entry is looked at again then.
    timer = setTimeout(() => void runDue(now()).finally(arm), Math.min(Math.max(wait, 0), LONGEST_REAL))
  }

  return {
    now,
    timestamp: (ms = 0) => toTimestamp(now() + ms),
    state: () => {
      const { frozen, offset } = record()
      return { now: toTimestamp(now()), frozen, offset }
    },
    ahead: () => now() - Date.now(),
    freeze(at = now()) {
      set({ frozen: true, at: toTimestamp(at), offset: record().offset })
      arm()
    },
    resume() {
      set({ frozen: false, at: null, offset: record().frozen ? now() - Date.now() : record().offset })
      arm()
    },
    async advance(by) {
      if (advancing) return false
      advancing = true
      clearTimeout(timer)
      const move = (to: number) => {
        const { frozen, offset } = record()
        if (frozen) set({ frozen, at: toTimestamp(to), offset })
        else if (to > now()) set({ frozen, at: null, offset: offset + to - now() })
      }
      const started = epoch
      try {
        const target = now() + by
        for (let due = next()?.[1].due; due !== undefined && due <= target && !closed; due = next()?.[1].due) {
          if (started !== epoch) break
          move(Math.max(due, now()))
          await runDue(due)
        }
        // After a reset this is another time, in which this advance never was.
        if (started === epoch) move(Math.max(target, now()))
      } finally {
        advancing = false
        arm()
      }
      return true
    },
    schedule(id, due, run) {
      entries.set(id, { due, run })
      arm()
    },
    cancel(id) {
      entries.delete(id)
      arm()
    },
    cancelAll() {
      epoch++
      entries.clear()
      clearTimeout(timer)
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

/** The clock's first record: stopped with a seed or at `now`, else running with the machine's time. wire: §1 "seed" */
export function startClock({ seed, now }: GivenSettings): ClockRecord {
  // With a seed at the machine's time, so that clients which check an exp against theirs can sign in.
  const stopped = now ?? (seed === undefined ? undefined : toTimestamp(Date.now()))
  const at = stopped === undefined ? undefined : Date.parse(stopped)
  return {
    id: 'clock',
    sequence: 0,
    created_at: toTimestamp(at ?? Date.now()),
    frozen: at !== undefined,
    at: at === undefined ? null : toTimestamp(at),
    offset: 0,
  }
}
