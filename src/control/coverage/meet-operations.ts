import type { Exchange, JournalEntry } from '../../emulator/world/exchange.js'
import { Recent } from '../findings/recent.js'
import { isChanged, type Meet, type Meter, type MeteredWorld } from './meter.js'

const columns: Record<number, string> = { 403: 'forbidden', 404: 'not-found', 429: 'rate-limited' }

/** The end of a list's last page, as the platform writes it when no liberty changes it. */
const LAST_PAGE = '"next":null}}'
/** Characters from the end of a body in which the cursor of the next page is, when nothing follows it. */
const CURSOR = 1_000

/** Counts the responses to the operations of `/v0`. coverage: group `api` */
export function meetOperations(world: MeteredWorld, nextOf: (entry: JournalEntry) => string | null | undefined): Meter {
  /** Cursors that came from a list that was read from its beginning. */
  const followed = new Recent<string, true>()

  function meetPages({ search, identity, operation = '' }: JournalEntry, next: string | null, meet: Meet): void {
    const page = search.includes('page=') ? new URLSearchParams(search).get('page') : null
    const key = (cursor: string) => `${identity.app} ${identity.organization} ${cursor}`
    if (page !== null && !followed.has(key(page))) return
    if (next !== null) followed.set(key(next), true)
    else if (page !== null) meet('api', operation, 'all-pages')
  }

  return (entry, meet) => {
    const { operation, status } = entry
    if (operation === undefined) return
    const column = columnFor(world, entry)
    if (column !== undefined) meet('api', operation, column)
    if (column !== 'ok' || status === null) return
    const next = nextOf(entry)
    if (next !== undefined) meetPages(entry, next, meet)
  }
}

function columnFor(world: MeteredWorld, entry: JournalEntry): string | undefined {
  const { status, broken, notes } = entry
  if (broken) return 'broken'
  if (status === null) return undefined
  if (status < 300) return isChanged(world, entry) ? undefined : 'ok'
  // The journal's own words: a liberty may change those of the response.
  if (status === 401) return /(expired|revoked)\b/.exec(notes.reason ?? '')?.[1]
  return status >= 500 ? 'server-error' : columns[status]
}

/** Returns the cursor of the next page in a response, null on the last page, undefined for what is no list. */
export function nextPageIn({
  response: { body },
  notes,
}: Pick<Exchange, 'response' | 'notes'>): string | null | undefined {
  if (typeof body !== 'string') return undefined
  if (notes.liberties !== undefined || notes.fault !== undefined) return nextInJson(body)
  if (body.endsWith(LAST_PAGE)) return null
  return /"next":"([^"\\]+)"\}\}$/.exec(body.slice(-CURSOR))?.[1]
}

function nextInJson(body: string): string | null | undefined {
  try {
    const { payload } = JSON.parse(body) as { payload?: { next?: string | null } | null }
    return payload?.next
  } catch {
    return undefined
  }
}
