import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import * as z from 'zod'
import { type Path, readStored } from '../schema/issue.js'
import { isDeep, MAX_DEPTH, MAX_JSON_BYTES } from '../schema/json-depth.js'
import { parseJsonText } from '../schema/json-text.js'
import type { AnyRecord, CollectionName } from './kind.js'
import { type AnyKinds, loadRecordChecks, type RecordChecks } from './record-checks.js'
import { isSealed } from './seal.js'
import { StartError } from './start-error.js'
import { FORMAT, fold, isIntact, type JournalLine, rawLines, type StoreDocument } from './store-document.js'
import { LayoutError, readLayout } from './store-layout.js'
import { bytesOf, lineOfPath, otherFormat, unreadable, utf8Text } from './unreadable-store.js'

/** The first format with a checksum in each line. */
const CHECKED_SINCE = 3

const counters = z.strictObject({ sequence: z.int().min(0), draws: z.int().min(0) })

const journalLine = z.strictObject({
  crc32: z.string().optional(),
  n: z.int().min(1),
  counters,
  changes: z.array(z.tuple([z.string(), z.string(), z.unknown()])),
  trial: z.enum(['began', 'ended']).optional(),
})

/**
 * Reads and checks the lines of a store's journal, and counts the bytes of whole lines and of a torn last one.
 * @throws StartError naming file, line and reason for the first line that is not valid.
 */
function readJournal(file: string, document: StoreDocument, checks: RecordChecks) {
  const bytes = bytesOf(file)
  const { lines: raw, torn } = rawLines(bytes)
  const lines = raw.map((line, index) => readLine(file, line, index + 1, document, checks))
  for (const [index, { n }] of lines.entries()) {
    const before = lines[index - 1]?.n
    if (before === undefined ? n > document.folded + 1 : n !== before + 1) {
      throw unreadable(file, index + 1, 'a change before it is missing')
    }
  }
  const whole = bytes.length - torn
  if (torn > 0 && isIntact(bytes.subarray(whole, -1))) {
    throw unreadable(file, lines.length + 1, 'its line break was overwritten')
  }
  return { lines, journal: { whole, torn } }
}

function readLine(file: string, bytes: Buffer, line: number, document: StoreDocument, checks: RecordChecks) {
  const stop = (why: string): never => {
    throw unreadable(file, line, why, document.version)
  }
  if (!isUtf8(bytes)) stop('it is not UTF-8')
  const parsed = parseJsonText(bytes.toString())
  if (parsed.line !== undefined) stop('it is not valid JSON')
  const isChecked = document.mockademy >= CHECKED_SINCE
  if (isChecked && !isIntact(bytes) && !isFoldedBefore(parsed.value, document)) {
    stop('its checksum does not match: it was modified')
  }
  const { data, issues } = readStored(journalLine, parsed.value)
  if (issues) {
    const [{ path, message }] = issues
    return stop(`it is not a change: ${path.join('.')} ${message}`)
  }
  for (const [index, [name, id, record]] of data.changes.entries()) {
    const check = checks.get(name)
    if (!check) return stop(`${name} is not a collection that this version knows`)
    if (record === null) continue
    const issue = check(record)
    if (issue) return stop(`${['changes', index, name, ...issue.path].join('.')} ${issue.message}`)
    const { id: own } = record as { id: string }
    if (own !== id) stop(`changes.${index} is of "${id}", but its record is "${own}"`)
  }
  return data as JournalLine
}

/** Returns true for a line of an earlier format, left by a kill after its store was brought up to date. */
function isFoldedBefore(line: unknown, { folded }: StoreDocument): boolean {
  const { n, crc32 } = Object(line) as Partial<z.infer<typeof journalLine>>
  return crc32 === undefined && Number(n) <= folded
}

export interface FilesRead {
  document: StoreDocument
  /** True for files of an earlier format or layout than this version writes. */
  isOutdated: boolean
  /** True for a `store.json` that was edited outside of Mockademy. */
  isEdited: boolean
  /** The number of bytes of the journal that hold whole lines, and of those of a torn last one. */
  journal: { whole: number; torn: number }
  /** True when a trial was under way at its end. */
  isInTrial: boolean
}

interface Reading {
  checks: RecordChecks
  version: string
}

const header = z.strictObject({
  /** Broken: the file was edited. */
  sealed: z.string().optional(),
  mockademy: z.int(),
  /** The first format does not say. */
  version: z.string().default('0.1.0'),
  folded: z.int().min(0),
  seeded_from: z.string(),
  fixture_secrets: z.array(z.string()).optional(),
  counters,
  collections: z.record(z.string(), z.array(z.unknown())),
})

/** The deepest nesting, which recursive code still reads. A record may have a whole body in it, or what code has given. */
const MAX_LEVELS = 10 * MAX_DEPTH

/** The first format with a seal in `store.json`. */
const SEALED_SINCE = 2

const looksLikeStore = z.looseObject({ mockademy: z.int(), version: z.string().optional() })

/**
 * Reads and checks a store's files.
 * @param sealed what `store.json` holds, when that needs no check.
 * @throws StartError naming file, line and reason for the first part that is not valid.
 */
export async function readFiles(
  file: string,
  given: { kinds: AnyKinds; version: string },
  sealed?: StoreDocument,
): Promise<FilesRead> {
  const reading = { version: given.version, checks: await loadRecordChecks(given.kinds) }
  const journalFile = `${file}.journal`
  const hasJournal = existsSync(journalFile)
  if (!existsSync(file)) {
    const why = `${journalFile} exists, but ${file} does not`
    throw new StartError(2, `The store cannot be read: ${why}. Restore it, or start with --fresh.`)
  }
  const laidOut = sealed ?? (await readPieces(file, reading))
  const document = laidOut ?? readWhole(file, reading)
  const isEdited = !sealed && document.mockademy >= SEALED_SINCE && !(await isSealed(file))
  const isOutdated = document.mockademy < FORMAT || (!laidOut && !isEdited)
  const { lines, journal } = hasJournal
    ? readJournal(journalFile, document, reading.checks)
    : { lines: [], journal: { whole: 0, torn: 0 } }
  const isInTrial = lines.at(-1)?.trial === 'began'
  const upgraded = document.mockademy < FORMAT && { mockademy: FORMAT, version: given.version }
  return { document: { ...fold(document, lines), ...upgraded }, isOutdated, isEdited, journal, isInTrial }
}

/** Reads a document as this version lays it out, a piece at a time; undefined when it is laid out in another way. */
async function readPieces(file: string, reading: Reading): Promise<StoreDocument | undefined> {
  try {
    return await readLayout(file, async (headerText, blocks) => {
      const { document, add } = readHeader(file, headerText, reading)
      for await (const { collection, line, text } of blocks) {
        if (isDeep(text, MAX_LEVELS)) return undefined
        const records = JSON.parse(`[${text}]`) as unknown[]
        if (text.split('\n').length !== records.length) return undefined
        add(collection, records, (index, path, message) => {
          throw unreadable(file, line + index, `${path.join('.')} ${message}`, document.version)
        })
      }
      return document
    })
  } catch (error) {
    if (error instanceof LayoutError || error instanceof SyntaxError) return undefined
    throw error
  }
}

function readWhole(file: string, reading: Reading): StoreDocument {
  const bytes = bytesOf(file)
  if (bytes.length > MAX_JSON_BYTES) {
    const size = `${Math.ceil(bytes.length / 1024 / 1024)} MB`
    const why = `it does not have Mockademy's layout (one record per line), and at ${size} it is too large to be read in any other`
    throw unreadable(file, 1, why)
  }
  const text = utf8Text(file, bytes)
  const { document, value, add } = readHeader(file, text, reading)
  for (const [name, records] of Object.entries(value.collections)) {
    add(name, records, (_, path, message) => {
      throw unreadable(file, lineOfPath(text, path), `${path.join('.')} ${message}`, document.version)
    })
  }
  return document
}

/** @returns `add`: checks records of a collection and adds them to the document. `stop` gets an index among those given. */
function readHeader(file: string, text: string, reading: Reading) {
  if (isDeep(text, MAX_LEVELS)) {
    const line = text.split('\n').findIndex((each) => isDeep(each, MAX_LEVELS)) + 1
    throw unreadable(file, Math.max(line, 1), `it is nested more than ${MAX_LEVELS} levels deep`)
  }
  const { value, line } = parseJsonText(text)
  if (line !== undefined) throw unreadable(file, line, 'it is not valid JSON')
  const looks = looksLikeStore.safeParse(value)
  if (!looks.success) throw unreadable(file, 1, 'it is not a store of Mockademy')
  const { mockademy: format, version: writer } = looks.data
  if (format < 1 || format > FORMAT)
    throw otherFormat(file, lineOfPath(text, ['mockademy']), format, writer, reading.version)

  const { data, issues } = readStored(header, value)
  if (issues) {
    const [{ path, message }] = issues
    throw unreadable(file, lineOfPath(text, path), `${path.join('.')} ${message}`, writer)
  }
  const { sealed: _, collections: __, ...fields } = data
  const document: StoreDocument = { ...fields, collections: new Map() }
  const ids = new Map<string, Set<string>>()
  const add = (name: string, given: unknown[], stop: (index: number, path: Path, message: string) => never) => {
    const check = reading.checks.get(name)
    if (!check) return stop(-1, ['collections', name], 'is not a collection that this version knows')
    const taken = ids.get(name) ?? new Set<string>()
    ids.set(name, taken)
    const records = document.collections.get(name as CollectionName) ?? []
    document.collections.set(name as CollectionName, records)
    for (const [index, record] of given.entries()) {
      const path = ['collections', name, records.length]
      const issue = check(record)
      if (issue) return stop(index, [...path, ...issue.path], issue.message)
      const { id } = record as AnyRecord
      if (taken.has(id)) return stop(index, [...path, 'id'], `"${id}" is given twice`)
      taken.add(id)
      records.push(record as AnyRecord)
    }
  }
  return { document, value: data, add }
}
