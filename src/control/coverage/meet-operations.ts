import type { JournalEntry } from '../../emulator/world/exchange.js'
import { Recent } from '../findings/recent.js'
import { isChanged, type Meet, type Meter } from './meter.js'

const columns: Record<number, string> = { 403: 'forbidden', 404: 'not-found', 429: 'rate-limited' }

/** Counts the responses to the operations of `/v0`. coverage: group `api` */
export function meetOperations(): Meter {
  /** Cursors that came from a list that was read from its beginning. */
  const followed = new Recent<string, true>()

  function meetPages({ search, identity, operation = '', notes: { next } }: JournalEntry, meet: Meet): void {
    if (next === undefined) return
    const page = search.includes('page=') ? new URLSearchParams(search).get('page') : null
    const key = (cursor: string) => `${identity.app} ${identity.organization} ${cursor}`
    if (page !== null && !followed.has(key(page))) return
    if (next !== null) followed.set(key(next), true)
    else if (page !== null) meet('api', operation, 'all-pages')
  }

  return (entry, meet) => {
    const { operation } = entry
    if (operation === undefined) return
    const column = columnFor(entry)
    if (column !== undefined) meet('api', operation, column)
    if (column === 'ok') meetPages(entry, meet)
  }
}

function columnFor(entry: JournalEntry): string | undefined {
  const { status, broken, notes } = entry
  if (broken) return 'broken'
  if (status === null) return undefined
  if (status < 300) return isChanged(entry) ? undefined : 'ok'
  // The journal's own words: a liberty may change those of the response.
  if (status === 401) return /(expired|revoked)\b/.exec(notes.reason ?? '')?.[1]
  return status >= 500 ? 'server-error' : columns[status]
}
