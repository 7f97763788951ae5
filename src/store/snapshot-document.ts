import { parseJsonText } from '../schema/json-text.js'
import type { Counters } from './history.js'
import type { AnyRecord, CollectionName } from './kind.js'
import { StartRefusal } from './start-refusal.js'
import type { Change } from './store.js'

/** What `store.json` holds: every record, and the number of the last journal line that is folded into it. */
export interface SnapshotDocument {
  mockademy: 1
  folded: number
  /** A hash of the fixtures it was seeded from. */
  seeded_from: string
  /** The API keys and app secrets that those give. */
  fixture_secrets?: string[]
  counters: Counters
  collections: Partial<Record<CollectionName, AnyRecord[]>>
}

/** A line of `store.json.journal`: one change. A record of null is removed. */
export interface JournalLine {
  n: number
  counters: Counters
  changes: [collection: CollectionName, id: string, record: AnyRecord | null][]
}

export const toLine = (n: number, changes: Change[], counters: Counters): string =>
  `${JSON.stringify({
    n,
    counters,
    changes: changes.map(({ collection, id, after }) => [collection, id, after]),
  } satisfies JournalLine)}\n`

/** The document with the lines after its last folded one applied. The records of the document are taken over. */
export function fold(document: SnapshotDocument, lines: JournalLine[]): SnapshotDocument {
  const collections = new Map<CollectionName, Map<string, AnyRecord>>()
  for (const [name, records] of Object.entries(document.collections)) {
    collections.set(name as CollectionName, new Map(records.map((record) => [record.id, record])))
  }
  let { folded, counters } = document
  for (const line of lines) {
    if (line.n <= document.folded) continue
    for (const [name, id, record] of line.changes) {
      const records = collections.get(name) ?? new Map<string, AnyRecord>()
      collections.set(name, records)
      if (record) records.set(id, record)
      else records.delete(id)
    }
    folded = line.n
    counters = line.counters
  }
  const entries = [...collections].map(([name, records]) => [name, [...records.values()]] as const)
  return { ...document, folded, counters, collections: Object.fromEntries(entries) }
}

/** @throws StartRefusal naming file and line for anything that is not a store of this format. */
export function parseSnapshot(file: string, text: string): SnapshotDocument {
  const document = parseJson(file, text, 1) as SnapshotDocument
  const isStore = typeof document === 'object' && document?.mockademy === 1 && Number.isInteger(document.folded)
  if (!isStore) throw unreadable(file, 1, 'it is not a store of this version of Mockademy')
  for (const [name, records] of Object.entries(document.collections)) {
    if (!Array.isArray(records)) throw unreadable(file, lineOf(text, `"${name}"`), `collections.${name} is not a list`)
    const bad = records.findIndex((record) => typeof record?.id !== 'string' || !Number.isInteger(record.sequence))
    if (bad >= 0) throw unreadable(file, lineOf(text, `"${name}"`), `collections.${name}.${bad} is not a record`)
  }
  return document
}

/**
 * The lines of a journal file.
 * @returns `torn`: the bytes of a last line that was cut off by a kill, which are not part of the result.
 * @throws StartRefusal naming file and line for anything else that cannot be read.
 */
export function parseJournal(file: string, bytes: Buffer): { lines: JournalLine[]; torn: number } {
  const end = bytes.lastIndexOf('\n') + 1
  const texts = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1)
  const lines = texts.map((text, index) => {
    const line = parseJson(file, text, index + 1) as JournalLine
    if (!Number.isInteger(line?.n) || !Array.isArray(line.changes)) {
      throw unreadable(file, index + 1, 'it is not a change')
    }
    return line
  })
  const gap = lines.findIndex(({ n }, index) => index > 0 && n !== (lines[index - 1] as JournalLine).n + 1)
  if (gap > 0) throw unreadable(file, gap + 1, 'a change before it is missing')
  return { lines, torn: bytes.length - end }
}

function parseJson(file: string, text: string, firstLine: number): unknown {
  const { value, line } = parseJsonText(text)
  if (line !== undefined) throw unreadable(file, firstLine + line - 1, 'it is not valid JSON')
  return value
}

const lineOf = (text: string, needle: string) => text.slice(0, text.indexOf(needle)).split('\n').length

const unreadable = (file: string, line: number, why: string) =>
  new StartRefusal(
    2,
    `The store cannot be read: ${file}, line ${line}: ${why}. Nothing was changed. ` +
      'Mend or move the file, or start with --fresh to seed a new store (the old one is kept beside it).',
  )
