import type { Identity, Reply, Request, Surface } from '../request.js'
import type { World } from '../world.js'

/** A request and its answer, as they were; presented with secrets redacted (`present-entry.ts`). */
export interface JournalEntry {
  id: number
  at: string
  surface: Surface['name']
  request: Pick<Request, 'method' | 'path' | 'query' | 'headers' | 'body'>
  reply: Reply
  /** Real milliseconds. */
  duration: number
  identity: Identity
}

/** The newest requests, in memory. control-api: "Journal" */
export interface Journal {
  record(seen: { surface: Surface; request: Request; reply: Reply; at: string; duration: number; world: World }): void
  /** Oldest first. */
  entries(): JournalEntry[]
  clear(): void
  /** Calls `listener` with every entry that is recorded. */
  onEntry(listener: (entry: JournalEntry) => void): void
}

export function createJournal(): Journal {
  const entries: JournalEntry[] = []
  const listeners: ((entry: JournalEntry) => void)[] = []
  let last = 0
  return {
    record({ surface, request, reply, at, duration, world }) {
      if (surface.name === 'admin' && !world.settings.journal_admin) return
      const { method, path, query, headers, body } = request
      const identity = surface.identify?.(world, request) ?? {}
      const entry = {
        id: ++last,
        at,
        surface: surface.name,
        request: { method, path, query, headers, body },
        reply,
        duration,
        identity,
      }
      entries.push(entry)
      if (entries.length > world.settings.journal_size) entries.splice(0, entries.length - world.settings.journal_size)
      for (const listener of listeners) listener(entry)
    },
    entries: () => [...entries],
    clear: () => void entries.splice(0),
    onEntry: (listener) => void listeners.push(listener),
  }
}
