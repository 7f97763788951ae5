/** A request that a built-in receiver has kept. control-api: "Shapes", inbox entry */
export interface InboxEntry {
  at: string
  /** The event's type; null when the body does not say. */
  event: string | null
  headers: Record<string, string>
  /** The JSON value, or the text when it is not JSON. */
  body: unknown
  raw: string
  /** Whether the signature is that of some app's signing secret; `app` then names it. */
  verified: boolean
  app: string | null
}

/** How an inbox answers. `delay` in real milliseconds. */
export interface Behaviour {
  status: number
  delay: number
  headers: Record<string, string>
}

/** The newest entries that an inbox keeps. */
const KEPT = 1000

/** The built-in receivers, in memory. control-api: "Webhooks" */
export interface Inboxes {
  /** Oldest first. An inbox is there as soon as it is named. */
  entries(name: string): InboxEntry[]
  add(name: string, entry: InboxEntry): void
  behaviour(name: string): Behaviour
  behave(name: string, behaviour: Behaviour): void
  /** Empties one. */
  empty(name: string): void
  /** Empties all, and makes them well-behaved. */
  clear(): void
  /** Calls `listener` whenever an entry is added to any; gives back what stops that. */
  onEntry(listener: () => void): () => void
}

export function createInboxes(): Inboxes {
  const kept = new Map<string, InboxEntry[]>()
  const behaviours = new Map<string, Behaviour>()
  const listeners = new Set<() => void>()
  return {
    entries: (name) => [...(kept.get(name) ?? [])],
    add(name, entry) {
      const entries = kept.get(name) ?? []
      entries.push(entry)
      if (entries.length > KEPT) entries.shift()
      kept.set(name, entries)
      for (const listener of listeners) listener()
    },
    behaviour: (name) => behaviours.get(name) ?? { status: 200, delay: 0, headers: {} },
    behave: (name, behaviour) => void behaviours.set(name, behaviour),
    empty: (name) => void kept.delete(name),
    clear() {
      kept.clear()
      behaviours.clear()
    },
    onEntry(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
