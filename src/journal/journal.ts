import type { Exchange, JournalEntry } from '../world/exchange.js'
import type { Journal } from '../world/parts.js'
import { toldDuration } from '../world/told-duration.js'
import type { World } from '../world/world.js'
import { kept } from './kept-body.js'

/** @param world for its settings `journal_size` and `journal_admin`, and what it tells of durations. */
export function createJournal(world: () => Pick<World, 'settings' | 'clock'>): Journal {
  const entries: JournalEntry[] = []
  const listeners: ((entry: JournalEntry) => void)[] = []
  const watchers = new Set<(exchange: Exchange) => void>()
  let last = 0
  return {
    record(exchange) {
      for (const watcher of watchers) watcher(exchange)
      const { request, response, ...entry } = exchange
      const { journal_size, journal_admin } = world().settings
      if (entry.surface === 'admin' && !journal_admin) return
      const whole = {
        id: ++last,
        ...entry,
        told: toldDuration(world(), entry.duration),
        request: kept(request),
        response: kept(response),
      }
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
