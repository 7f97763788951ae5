import type { Exchange, JournalEntry } from '../world/exchange.js'
import type { Journal } from '../world/parts.js'
import type { Settings } from '../world/settings.js'
import { kept } from './kept-body.js'

/** @param settings those in force, for `journal_size` and `journal_admin`. */
export function createJournal(settings: () => Pick<Settings, 'journal_size' | 'journal_admin'>): Journal {
  const entries: JournalEntry[] = []
  const listeners: ((entry: JournalEntry) => void)[] = []
  const watchers = new Set<(exchange: Exchange) => void>()
  let last = 0
  return {
    record(exchange) {
      for (const watcher of watchers) watcher(exchange)
      const { request, response, ...entry } = exchange
      const { journal_size, journal_admin } = settings()
      if (entry.surface === 'admin' && !journal_admin) return
      const whole = { id: ++last, ...entry, request: kept(request), response: kept(response) }
      entries.push(whole)
      if (entries.length > journal_size) entries.splice(0, entries.length - journal_size)
      for (const listener of listeners) listener(whole)
    },
    entries: () => [...entries],
    clear: () => void entries.splice(0),
    onEntry: (listener) => void listeners.push(listener),
    onExchange(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}
