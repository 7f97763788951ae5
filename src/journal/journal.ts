import type { JournalEntry } from '../world/exchange.js'
import type { Journal } from '../world/parts.js'
import type { Settings } from '../world/settings.js'
import { kept } from './kept-body.js'

/** How many entries too many there may be before they are dropped, all at once: dropping one moves all the others. */
const SURPLUS = 100

/** @param settings those in force, for `journal_size` and `journal_admin`. */
export function createJournal(settings: () => Pick<Settings, 'journal_size' | 'journal_admin'>): Journal {
  const entries: JournalEntry[] = []
  const listeners: ((entry: JournalEntry) => void)[] = []
  let last = 0
  return {
    record(exchange) {
      const { journal_size, journal_admin } = settings()
      if (exchange.surface === 'admin' && !journal_admin) return
      const { request, response } = exchange
      const whole = Object.assign(exchange, { id: ++last, request: kept(request), response: kept(response) })
      entries.push(whole)
      if (entries.length > journal_size + SURPLUS) entries.splice(0, entries.length - journal_size)
      for (const listener of listeners) listener(whole)
    },
    entries: () => entries.slice(-settings().journal_size),
    clear: () => void entries.splice(0),
    onEntry: (listener) => void listeners.push(listener),
  }
}
