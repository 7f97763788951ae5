import type { Admin } from '../../control/client/admin.js'

/** Real milliseconds of a control call within which as many runs as may be go on. */
const PROMPT = 100
/** Runs side by side on the busiest machine. */
const MIN_AT_ONCE = 2

/**
 * Lets so many runs go on side by side, and fewer while control calls take long: on a busy machine, an app would run into
 * its own time limits, which is no trouble of its case.
 */
export function createGate(admin: Pick<Admin, 'clock'>, most: number) {
  let room = most
  let running = 0
  let waiting: (() => void)[] = []
  const hasRoom = async () => {
    while (running >= room) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const measure = async () => {
    const began = performance.now()
    await admin.clock()
    room = Math.max(MIN_AT_ONCE, Math.min(most, Math.floor((most * PROMPT) / (performance.now() - began))))
  }
  return {
    /** Resolves when another run may begin. */
    hasRoom,
    async run<T>(work: () => Promise<T>): Promise<T> {
      await hasRoom()
      running++
      try {
        const result = await work()
        await measure()
        return result
      } finally {
        running--
        const woken = waiting
        waiting = []
        for (const wake of woken) wake()
      }
    },
  }
}

export type Gate = ReturnType<typeof createGate>
