import type { InboxBehavior, InboxEntry, Inboxes } from '../../emulator/world/webhook-parts.js'
import { jsonOrText } from '../../foundation/http/json-or-text.js'

/** The newest entries that an inbox keeps. control-api: "Journal" */
const KEPT_ENTRIES = 200
/** The inboxes that were used last. */
const KEPT_INBOXES = 1000
/** The beginning of a body that is kept. */
const KEPT_CHARACTERS = 1024 * 1024

/** Bodies are kept as text and parsed when they are read: a parsed one takes many times its room. */
type KeptEntry = Omit<InboxEntry, 'body'>

interface Inbox {
  entries: KeptEntry[]
  behavior: InboxBehavior
}

const newInbox = (): Inbox => ({ entries: [], behavior: { status: 200, delay: 0, headers: {} } })

export function createInboxes(): Inboxes {
  const inboxes = new Map<string, Inbox>()
  const listeners = new Set<() => void>()

  /** Returns the inbox of that name, the newest of all; the one that was used longest ago makes room for a further one. */
  const use = (name: string): Inbox => {
    const inbox = inboxes.get(name) ?? newInbox()
    inboxes.delete(name)
    inboxes.set(name, inbox)
    const [oldest = name] = inboxes.keys()
    if (inboxes.size > KEPT_INBOXES) inboxes.delete(oldest)
    return inbox
  }
  const empty: Inboxes['empty'] = (name, organization) => {
    const inbox = inboxes.get(name)
    if (!inbox) return
    inbox.entries = inbox.entries.filter((entry) => organization !== undefined && entry.organization !== organization)
  }

  return {
    entries: (name) => (inboxes.get(name)?.entries ?? []).map((entry) => ({ ...entry, body: jsonOrText(entry.raw) })),
    add(name, { body: _, ...entry }) {
      const { entries, behavior } = use(name)
      entries.push({ ...entry, raw: beginningOf(entry.raw) })
      if (entries.length > KEPT_ENTRIES) entries.shift()
      for (const listener of listeners) listener()
      return behavior
    },
    behave(name, behavior) {
      use(name).behavior = behavior
    },
    empty,
    forget(organization) {
      for (const name of inboxes.keys()) empty(name, organization)
    },
    clear: () => inboxes.clear(),
    save() {
      const kept = [...inboxes].map(([name, { entries, behavior }]) => [name, [...entries], behavior] as const)
      return () => {
        inboxes.clear()
        for (const [name, entries, behavior] of kept) inboxes.set(name, { entries: [...entries], behavior })
      }
    },
    onEntry(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A copy: a slice would keep the whole text alive. */
const beginningOf = (raw: string): string =>
  raw.length > KEPT_CHARACTERS ? Buffer.from(raw.slice(0, KEPT_CHARACTERS)).toString() : raw
