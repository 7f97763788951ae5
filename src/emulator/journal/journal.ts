import type { Exchange, JournalEntry } from '../world/exchange.js'
import type { Journal } from '../world/parts.js'
import { reportedDuration } from '../world/reported-duration.js'
import type { World } from '../world/world.js'
import { kept } from './kept-body.js'

/** How many entries too many there may be before they are dropped, all at once: dropping one moves all the others. */
const SURPLUS = 100

/** @param world for its settings `journal_size` and `journal_admin`, and what it tells of durations. */
export function createJournal(world: () => Pick<World, 'settings' | 'clock'>): Journal {
  const entries: JournalEntry[] = []
  const listeners: ((entry: JournalEntry) => void)[] = []
  const watchers = new Set<(exchange: Exchange) => void>()
  let last = 0
  return {
    record(exchange) {
      for (const watcher of watchers) watcher(exchange)
      const { journal_size, journal_admin } = world().settings
      if (exchange.surface === 'admin' && !journal_admin) return
      // Completed in place: whoever records an exchange is done with it.
      const whole = exchange as JournalEntry
      whole.id = ++last
      whole.reportedDuration = reportedDuration(world(), exchange.duration)
      whole.request = kept(exchange.request)
      whole.response = kept(exchange.response)
      entries.push(whole)
      if (entries.length > journal_size + SURPLUS) entries.splice(0, entries.length - journal_size)
      for (const listener of listeners) listener(whole)
    },
    entries: () => entries.slice(Math.max(0, entries.length - world().settings.journal_size)),
    clear: () => void entries.splice(0),
    onEntry: (listener) => void listeners.push(listener),
    onExchange(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}
