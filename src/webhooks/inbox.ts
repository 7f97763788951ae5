import type { InboxBehaviour, InboxEntry, Inboxes } from '../world/parts.js'

/** The newest entries that an inbox keeps. */
const KEPT = 1000

export function createInboxes(): Inboxes {
  const kept = new Map<string, InboxEntry[]>()
  const behaviours = new Map<string, InboxBehaviour>()
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
