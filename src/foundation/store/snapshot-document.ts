import { crc32 } from 'node:zlib'
import type { Counters } from './history.js'
import type { AnyRecord, CollectionName } from './kind.js'
import type { Change } from './store.js'

/** The format of the files that this version writes; it reads those before it too. */
export const FORMAT = 3

/** What `store.json` holds: every record, and the number of the last journal line that is folded into it. */
export interface SnapshotDocument {
  /** The format. */
  mockademy: number
  /** The version of Mockademy that wrote it. Format 1 does not say. */
  version: string
  folded: number
  /** A hash of the fixtures it was seeded from. */
  seeded_from: string
  /** The API keys and app secrets that those give. */
  fixture_secrets?: string[] | undefined
  counters: Counters
  collections: Partial<Record<CollectionName, AnyRecord[]>>
}

/** What an emulator says of its world when `store.json` is written. */
export type StoreContents = Omit<SnapshotDocument, 'mockademy' | 'version' | 'folded'>

/** A line of `store.json.journal`: one change. A record of null is removed. */
export interface JournalLine {
  n: number
  counters: Counters
  changes: [collection: CollectionName, id: string, record: AnyRecord | null][]
}

/** Begins with a checksum of all that comes after it. */
export function toLine(n: number, changes: Change[], counters: Counters): string {
  const line: JournalLine = {
    n,
    counters,
    changes: changes.map(({ collection, id, after }) => [collection, id, after]),
  }
  const rest = JSON.stringify(line).slice('{'.length)
  return `${checksumOf(rest)}${rest}\n`
}

const checksumOf = (rest: string | Buffer) => `{"crc32":"${crc32(rest).toString(16).padStart(8, '0')}",`
const CHECKSUM_LENGTH = checksumOf('').length

/** Whether a line, without its line break, is as it was written. Those of formats before 3 have no checksum. */
export const isIntact = (line: Buffer): boolean =>
  line.toString('latin1', 0, CHECKSUM_LENGTH) === checksumOf(line.subarray(CHECKSUM_LENGTH))

/** The document with the lines after its last folded one applied. The records of the document are taken over. */
export function fold(document: SnapshotDocument, lines: JournalLine[]): SnapshotDocument {
  const later = lines.filter(({ n }) => n > document.folded)
  if (later.length === 0) return document
  const collections = new Map<CollectionName, Map<string, AnyRecord>>()
  for (const [name, records] of Object.entries(document.collections)) {
    collections.set(name as CollectionName, new Map(records.map((record) => [record.id, record])))
  }
  let { folded, counters } = document
  for (const line of later) {
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

/** The lines of a journal's bytes, none of which is torn. @throws Error when one is not as it was written. */
export const linesOf = (bytes: Buffer): JournalLine[] =>
  rawLines(bytes).lines.map((line, index) => {
    if (!isIntact(line)) throw new Error(`line ${index + 1} of the journal has been changed`)
    return JSON.parse(line.toString()) as JournalLine
  })

/** @returns `torn`: the number of bytes of a last line that was cut off by a kill, which is not among the lines. */
export function rawLines(bytes: Buffer): { lines: Buffer[]; torn: number } {
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return { lines, torn: bytes.length - start }
}
