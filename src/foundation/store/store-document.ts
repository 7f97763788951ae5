import { crc32 } from 'node:zlib'
import type { Counters } from './history.js'
import type { AnyRecord, CollectionName } from './kind.js'
import type { Change, TrialEvent } from './store.js'

/** The format of the files that this version writes; it reads those before it too. */
export const FORMAT = 3

/** The fields of `store.json` beside its records. */
export interface StoreHeader {
  /** The format. */
  mockademy: number
  /** The version of Mockademy that wrote it. Format 1 does not say. */
  version: string
  /** The number of the last journal line that is folded into it. */
  folded: number
  /** A hash of the fixtures it was seeded from. */
  seeded_from: string
  /** The API keys and app secrets that those give. */
  fixture_secrets?: string[] | undefined
  counters: Counters
}

/** The content of `store.json`, read. */
export interface StoreDocument extends StoreHeader {
  collections: Map<CollectionName, AnyRecord[]>
}

/** Records on their way to `store.json`, each as JSON: a part of a collection, or all of it. */
export interface RecordTexts {
  collection: string
  texts: Iterable<string>
}

/** The content of `store.json` on its way there: the records are made into text one at a time, and never all at once. */
export interface OutgoingDocument extends StoreHeader {
  records: Iterable<RecordTexts> | AsyncIterable<RecordTexts>
}

/** The world as an emulator gives it when `store.json` is written. */
export type StoreContents = Omit<OutgoingDocument, 'mockademy' | 'version' | 'folded'>

/** A line of `store.json.journal`: one change. A record of null is removed. */
export interface JournalLine {
  n: number
  counters: Counters
  changes: [collection: CollectionName, id: string, record: AnyRecord | null][]
  /** Begin or end of a trial, in a line without changes. Changes between the two are not written. */
  trial?: TrialEvent | undefined
}

/** Returns a journal line, which begins with a checksum of the rest. */
export function toLine(n: number, changes: Change[], counters: Counters, trial?: TrialEvent): string {
  const records: JournalLine['changes'] = changes.map(({ collection, id, after }) => [collection, id, after])
  const line: JournalLine = { n, counters, changes: records, trial }
  const rest = JSON.stringify(line).slice('{'.length)
  return `${checksumOf(rest)}${rest}\n`
}

const checksumOf = (rest: string | Buffer) => `{"crc32":"${crc32(rest).toString(16).padStart(8, '0')}",`
const CHECKSUM_LENGTH = checksumOf('').length

/** Returns true for a line, without its line break, that matches its checksum. Formats before 3 have none. */
export const isIntact = (line: Buffer): boolean =>
  line.toString('latin1', 0, CHECKSUM_LENGTH) === checksumOf(line.subarray(CHECKSUM_LENGTH))

/** Returns the last state of each record that journal lines name, by collection and id. */
export function lastStates(lines: JournalLine[]): Map<CollectionName, Map<string, AnyRecord | null>> {
  const states = new Map<CollectionName, Map<string, AnyRecord | null>>()
  for (const { changes } of lines) {
    for (const [name, id, record] of changes) {
      const ofCollection = states.get(name) ?? new Map<string, AnyRecord | null>()
      states.set(name, ofCollection)
      ofCollection.set(id, record)
    }
  }
  return states
}

/** Returns the document with the lines after its last folded one applied. */
export function fold(document: StoreDocument, lines: JournalLine[]): StoreDocument {
  const later = lines.filter(({ n }) => n > document.folded)
  const last = later.at(-1)
  if (!last) return document
  const collections = new Map(document.collections)
  for (const [name, states] of lastStates(later)) {
    const records: AnyRecord[] = []
    for (const record of collections.get(name) ?? []) {
      const state = states.get(record.id)
      states.delete(record.id)
      if (state !== null) records.push(state ?? record)
    }
    for (const state of states.values()) if (state) records.push(state)
    collections.set(name, records)
  }
  return { ...document, folded: last.n, counters: last.counters, collections }
}

/** Returns the lines of a journal's bytes, none of which is torn. @throws Error when one is not as it was written. */
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
