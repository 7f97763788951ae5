import { isUtf8 } from 'node:buffer'
import type { Store } from '../../foundation/store/store.js'
import {
  type Exchange,
  type GivenMessage,
  type JournalEntry,
  MAX_JOURNALED_BODY,
  type Mark,
  type Message,
} from '../world/exchange.js'
import type { Journal } from '../world/parts.js'
import { reportedDuration } from '../world/reported-duration.js'
import { runIn, runOf } from '../world/run.js'
import type { World } from '../world/world.js'

/** Entries above `journal_size` that are dropped together, since dropping one moves all the others. */
const SURPLUS = 100

/** Entries of runs that are kept for each of `journal_size`: a report links to those of its failures. sweep: "Report" */
const OF_RUNS = 10

/** Creates the journal of an emulator, which reads the settings `journal_size` and `journal_admin`. */
export function createJournal(
  store: Store,
  getWorld: () => Pick<World, 'settings' | 'clock' | 'store' | 'runs'>,
): Journal {
  /** Entries of runs have room of their own, so that they push nothing else out. */
  const kept = { own: [] as JournalEntry[], ofRuns: [] as JournalEntry[] }
  const entryListeners: ((entry: JournalEntry) => void)[] = []
  const exchangeListeners = new Set<(exchange: Exchange) => void>()
  let last = 0
  /** The running test and step of each organization; under undefined, of all without a test of their own. */
  const current = new Map<string | undefined, Partial<Record<Mark['kind'], string>>>()
  const marksIn = (organization: string | undefined) => {
    const own = current.get(organization)
    const { test, step } = own?.test === undefined ? { ...current.get(undefined), ...own } : own
    return [test, step].filter((name) => name !== undefined)
  }
  // Another organization may get the same slug.
  store.onChange((changes) => {
    for (const { collection, id } of changes)
      if (collection === 'organizations' && !store.organizations.get(id)) current.delete(id)
  })
  let markNames = new Set<string>()
  return {
    record(exchange) {
      exchange.run =
        runIn(exchange.request) ?? runOf(getWorld(), exchange.identity) ?? runOfKeyRequest(getWorld(), exchange)
      const marks = marksIn(exchange.identity.organization)
      if (marks.length > 0) exchange.marks = marks
      for (const listener of exchangeListeners) listener(exchange)
      const { journal_size, journal_admin } = getWorld().settings
      if (exchange.surface === 'admin' && !journal_admin) return
      // Completed in place, since its recorder does not use it any more.
      const entry = exchange as JournalEntry
      entry.id = ++last
      entry.reportedDuration = reportedDuration(getWorld(), exchange.duration)
      entry.request = truncateBody(exchange.request)
      entry.response = truncateBody(exchange.response)
      const isOwn = entry.run === undefined
      const entries = isOwn ? kept.own : kept.ofRuns
      const size = isOwn ? journal_size : journal_size * OF_RUNS
      entries.push(entry)
      if (entries.length > size + SURPLUS) entries.splice(0, entries.length - size)
      for (const listener of entryListeners) listener(entry)
    },
    entries() {
      const { journal_size } = getWorld().settings
      const newest = (entries: JournalEntry[], size: number) => entries.slice(Math.max(0, entries.length - size))
      const [own, ofRuns] = [newest(kept.own, journal_size), newest(kept.ofRuns, journal_size * OF_RUNS)]
      if (own.length === 0) return ofRuns
      return ofRuns.length === 0 ? own : [...own, ...ofRuns].sort((a, b) => a.id - b.id)
    },
    mark({ name, kind, state, organization }) {
      const before = current.get(organization)
      if (state === 'begin') current.set(organization, kind === 'test' ? { test: name } : { ...before, step: name })
      else if (before?.[kind] === name) {
        if (kind === 'step' && before.test !== undefined) current.set(organization, { test: before.test })
        else current.delete(organization)
      }
      markNames.add(name)
    },
    markNames: () => markNames,
    clear() {
      markNames = new Set([...current.keys()].flatMap(marksIn))
      kept.own.splice(0)
      kept.ofRuns.splice(0)
    },
    onEntry: (listener) => void entryListeners.push(listener),
    onExchange(listener) {
      exchangeListeners.add(listener)
      return () => exchangeListeners.delete(listener)
    },
  }
}

/** Requests for discovery and keys name nobody: while a single run is open, its sign-ins are what an app makes them for. */
const runOfKeyRequest = ({ runs }: Pick<World, 'runs'>, { path }: Exchange): string | undefined =>
  runs.size === 1 && path.startsWith('/.well-known/') ? [...runs][0] : undefined

const textual =
  /^\s*(?:text\/|application\/(?:[^;]*[/+])?(?:json|xml|javascript|x-www-form-urlencoded)\b|[^;]*\+(?:json|xml)\b)/i

/**
 * Returns one side of an exchange as it is kept: with the beginning of a textual body, without a binary one. A body
 * without a content type is textual when it is UTF-8. dev: "Why, for webhooks as for requests"
 */
export function truncateBody({ headers, body = '', length }: GivenMessage): Message {
  const size = Buffer.byteLength(body)
  if (size === 0) return { headers, body: undefined, length: length ?? 0 }
  const beginning = size <= MAX_JOURNALED_BODY ? body : beginningOf(Buffer.from(body))
  const isText = typeof beginning === 'string' || typeof body === 'string' || isTextual(headers, beginning)
  return { headers, body: isText ? beginning : undefined, length: length ?? size }
}

function isTextual(headers: Message['headers'], beginning: Buffer): boolean {
  const type = String(headers['content-type'] ?? '')
  return type === '' ? isUtf8(beginning) : textual.test(type)
}

/** Bytes of a word that may be a secret, also in the forms that a liberty gives to tokens. */
const MAX_WORD_LENGTH = 1_024
const wordByte = /[\w.~+/%-]/

/**
 * Returns the first bytes up to a whole character, and before a word that would be divided: a part of a secret could not
 * be recognized. They are copied, since a slice would keep the whole body alive.
 */
function beginningOf(body: Buffer): Buffer {
  let end = MAX_JOURNALED_BODY
  while (end > MAX_JOURNALED_BODY - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end--
  const isWord = (at: number) => wordByte.test(String.fromCharCode(body[at] ?? 0))
  let start = end
  while (isWord(end) && isWord(start - 1) && end - start <= MAX_WORD_LENGTH) start--
  return Buffer.from(body.subarray(0, end - start > MAX_WORD_LENGTH ? end : start))
}
