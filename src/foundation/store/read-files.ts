import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import * as z from 'zod'
import { parseJsonText } from '../schema/json-text.js'
import { loadSchemaWords } from '../schema/late-schema.js'
import { describeIssue, pathIssuesOf } from '../schema/schema-issues.js'
import type { AnyRecord, CollectionName, Kind } from './kind.js'
import { isSealed } from './seal.js'
import { FORMAT, fold, isIntact, type JournalLine, rawLines, type SnapshotDocument } from './snapshot-document.js'
import { LayoutError, readLayout } from './snapshot-layout.js'
import { StartError } from './start-error.js'

/** Every kind of record, by the name of its collection. */
export type AnyKinds = Record<string, Kind<never>>

export interface FilesRead {
  document: SnapshotDocument
  /** True for files of an earlier format or layout than this version writes. */
  isOutdated: boolean
  /** True for a `store.json` that was edited outside of Mockademy. */
  isEdited: boolean
  /** The number of bytes of the journal that hold whole lines, and of those of a torn last one. */
  journal: { whole: number; torn: number }
  /** True when a trial was under way at its end. */
  isInTrial: boolean
}

type Checks = Record<string, { schema: z.ZodObject; upgrade: Kind<never>['upgrade'] }>

interface Reading {
  kinds: Checks
  /** Of this Mockademy. */
  version: string
}

const counters = z.strictObject({ sequence: z.int().min(0), draws: z.int().min(0) })

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

/** The longest text that Node can have, in bytes of ASCII. */
const LONGEST_TEXT = 512 * 1024 * 1024

/** The first formats with a seal in `store.json`, and with a checksum in each line of the journal. */
const SEALED_SINCE = 2
const CHECKED_SINCE = 3

const journalLine = z.strictObject({
  crc32: z.string().optional(),
  n: z.int().min(1),
  counters,
  changes: z.array(z.tuple([z.string(), z.string(), z.unknown()])),
  trial: z.enum(['began', 'ended']).optional(),
})

/** The fields of a store of any format. */
const looksLikeStore = z.looseObject({ mockademy: z.int(), version: z.string().optional() })

/**
 * Reads and checks a store's files, and changes nothing; undefined when there are none yet. What an earlier format
 * holds comes out as today's.
 * @param sealed what `store.json` holds, when that needs no check.
 * @throws StartError naming file, line and reason for the first part that is not valid.
 */
export async function readFiles(
  file: string,
  given: { kinds: AnyKinds; version: string },
  sealed?: SnapshotDocument,
): Promise<FilesRead | undefined> {
  const reading = { version: given.version, kinds: await withSchemas(given.kinds) }
  const journalFile = `${file}.journal`
  const hasJournal = existsSync(journalFile)
  if (!existsSync(file)) {
    if (!hasJournal) return undefined
    const why = `${journalFile} is there, but ${file}, which it belongs to, is not`
    throw new StartError(2, `The store cannot be read: ${why}. Bring it back, or start with --fresh.`)
  }
  const laidOut = sealed ?? (await readPieces(file, reading))
  const document = laidOut ?? readWhole(file, reading)
  const isEdited = !sealed && document.mockademy >= SEALED_SINCE && !(await isSealed(file))
  const isOutdated = document.mockademy < FORMAT || (!laidOut && !isEdited)
  const { lines, journal } = hasJournal
    ? readJournal(journalFile, document, reading)
    : { lines: [], journal: { whole: 0, torn: 0 } }
  const isInTrial = lines.at(-1)?.trial === 'began'
  return { document: upToDate(fold(document, lines), document, reading), isOutdated, isEdited, journal, isInTrial }
}

function readJournal(file: string, document: SnapshotDocument, reading: Reading) {
  const bytes = bytesOf(file)
  const { lines: raw, torn } = rawLines(bytes)
  const lines = raw.map((line, index) => readLine(file, line, index + 1, document, reading))
  for (const [index, { n }] of lines.entries()) {
    const before = lines[index - 1]?.n ?? Math.max(document.folded, n - 1)
    if (index === 0 ? n > document.folded + 1 : n !== before + 1) {
      throw unreadable(file, index + 1, 'a change before it is missing')
    }
  }
  const whole = bytes.length - torn
  if (torn > 0 && isIntact(bytes.subarray(whole, -1))) {
    throw unreadable(file, lines.length + 1, 'something else is in the place of its line break')
  }
  return { lines, journal: { whole, torn } }
}

const withSchemas = async (kinds: AnyKinds): Promise<Checks> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(kinds).map(
        async ([name, { schema, upgrade }]) =>
          [name, { schema: strictly(schema(await loadSchemaWords())), upgrade }] as const,
      ),
    ),
  )

const strict = new WeakMap<z.ZodObject, z.ZodObject>()

/** The schema without unknown fields. It is made once: to make one takes longer than to check many records with it. */
function strictly(schema: z.ZodObject): z.ZodObject {
  const made = strict.get(schema) ?? schema.strict()
  strict.set(schema, made)
  return made
}

/** With the format and version of now. */
function upToDate(document: SnapshotDocument, { mockademy }: SnapshotDocument, { version }: Reading): SnapshotDocument {
  if (mockademy === FORMAT) return document
  return { ...document, mockademy: FORMAT, version }
}

/** A snapshot as this version lays it out, a piece at a time; undefined when it is laid out in another way. */
async function readPieces(file: string, reading: Reading): Promise<SnapshotDocument | undefined> {
  try {
    return await readLayout(file, async (header, blocks) => {
      const { document, add } = readHeader(file, header, reading)
      for await (const { collection, line, text } of blocks) {
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

/** A snapshot that is laid out in any way. */
function readWhole(file: string, reading: Reading): SnapshotDocument {
  const bytes = bytesOf(file)
  if (bytes.length > LONGEST_TEXT) {
    const size = `${Math.ceil(bytes.length / 1024 / 1024)} MB`
    throw unreadable(
      file,
      1,
      `it is not laid out as Mockademy does it (a record a line), and with ${size} too large to be read otherwise`,
    )
  }
  const text = textOf(file, bytes)
  const { document, value, add } = readHeader(file, text, reading)
  for (const [name, records] of Object.entries(value.collections)) {
    add(name, records, (_, path, message) => {
      throw unreadable(file, lineOf(text, path), `${path.join('.')} ${message}`, document.version)
    })
  }
  return document
}

/** @returns `add`: checks records of a collection and adds them to the document. */
function readHeader(file: string, text: string, reading: Reading) {
  const { value, line } = parseJsonText(text)
  if (line !== undefined) throw unreadable(file, line, 'it is not valid JSON')
  const looks = looksLikeStore.safeParse(value)
  if (!looks.success) throw unreadable(file, 1, 'it is not a store of Mockademy')
  const { mockademy: format, version: writer } = looks.data
  if (format < 1 || format > FORMAT)
    throw otherFormat(file, lineOf(text, ['mockademy']), format, writer, reading.version)

  const read = header.safeParse(value, { error: describeIssue })
  if (!read.success) {
    const [issue] = pathIssuesOf(read.error)
    const path = issue?.path ?? []
    throw unreadable(file, lineOf(text, path), `${path.join('.')} ${issue?.message ?? 'is not valid'}`, writer)
  }
  const { sealed: _, collections: __, ...fields } = read.data
  const document: SnapshotDocument = { ...fields, collections: new Map() }
  const ids = new Map<string, Set<string>>()
  const add = (
    name: string,
    given: unknown[],
    /** `index` among those given. */
    stop: (index: number, path: (string | number)[], message: string) => never,
  ) => {
    const check = checkOf(reading.kinds, name, format)
    if (!check) return stop(-1, ['collections', name], 'is not a collection that this version knows')
    const taken = ids.get(name) ?? new Set<string>()
    ids.set(name, taken)
    const records = document.collections.get(name as CollectionName) ?? []
    document.collections.set(name as CollectionName, records)
    for (const [index, record] of given.entries()) {
      const path = ['collections', name, records.length]
      const checked = check(record)
      if ('issue' in checked) return stop(index, [...path, ...checked.issue.path], checked.issue.message)
      if (taken.has(checked.id)) return stop(index, [...path, 'id'], `"${checked.id}" is given twice`)
      taken.add(checked.id)
      records.push(checked.record as AnyRecord)
    }
  }
  return { document, value: read.data, add }
}

function readLine(
  file: string,
  bytes: Buffer,
  line: number,
  document: SnapshotDocument,
  { kinds }: Reading,
): JournalLine {
  const stop = (why: string): never => {
    throw unreadable(file, line, why, document.version)
  }
  if (!isUtf8(bytes)) stop('it is not UTF-8')
  const parsed = parseJsonText(bytes.toString())
  if (parsed.line !== undefined) stop('it is not valid JSON')
  const isChecked = document.mockademy >= CHECKED_SINCE
  if (isChecked && !isIntact(bytes) && !isFoldedBefore(parsed.value, document)) {
    stop('its checksum does not match: it is not as Mockademy wrote it')
  }
  const read = journalLine.safeParse(parsed.value, { error: describeIssue })
  if (!read.success) {
    const [issue] = pathIssuesOf(read.error)
    return stop(`it is not a change: ${issue?.path.join('.')} ${issue?.message}`)
  }
  for (const [index, change] of read.data.changes.entries()) {
    const [name, id, record] = change
    const check = checkOf(kinds, name, document.mockademy)
    if (!check) return stop(`${name} is not a collection that this version knows`)
    if (record === null) continue
    const checked = check(record)
    if ('issue' in checked) {
      stop(`${['changes', index, name, ...checked.issue.path].join('.')} ${checked.issue.message}`)
    } else if (checked.id !== id) stop(`changes.${index} is of "${id}", but its record is "${checked.id}"`)
    else change[2] = checked.record
  }
  return read.data as JournalLine
}

/** True for a line of an earlier format, left by a kill after its store was brought up to date. */
function isFoldedBefore(line: unknown, { folded }: SnapshotDocument): boolean {
  const { n, crc32 } = Object(line) as Partial<z.infer<typeof journalLine>>
  return crc32 === undefined && typeof n === 'number' && n <= folded
}

type Checked = { id: string; record: unknown } | { issue: { path: (string | number)[]; message: string } }

/** Returns the schema of a collection's records; undefined when there is no such collection. */
function checkOf(kinds: Checks, name: string, format: number): ((record: unknown) => Checked) | undefined {
  if (!Object.hasOwn(kinds, name)) return undefined
  const { schema, upgrade } = kinds[name] as Checks[string]
  return (given) => {
    const isOld = upgrade && format < FORMAT && typeof given === 'object' && given !== null
    const record = isOld ? upgrade(given as Record<string, unknown>, format) : given
    const read = schema.safeParse(record, { error: describeIssue })
    if (read.success) return { id: (record as { id: string }).id, record }
    const [issue] = pathIssuesOf(read.error)
    return { issue: issue ?? { path: [], message: 'is not valid' } }
  }
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new StartError(2, `The store ${file} cannot be read: ${(error as Error).message}`)
  }
}

function textOf(file: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  const { lines } = rawLines(bytes)
  const line = lines.findIndex((each) => !isUtf8(each))
  throw unreadable(file, (line < 0 ? lines.length : line) + 1, 'it is not UTF-8')
}

/** The line of the innermost part of `path` that is there; the first one of a text too large to look into. */
function lineOf(text: string, path: (string | number)[]): number {
  const root = text.length < 32 * 1024 * 1024 ? parseTree(text) : undefined
  for (let length = path.length; root && length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length))
    if (node) return text.slice(0, node.offset).split('\n').length
  }
  return 1
}

const otherFormat = (file: string, line: number, format: number, writer: string | undefined, version: string) =>
  new StartError(
    2,
    `The store cannot be read: ${file}, line ${line}: it is of format ${format}, ` +
      `which Mockademy ${writer ?? 'of another version'} wrote; this is Mockademy ${version}, which reads formats 1 to ${FORMAT}. ` +
      `Nothing was changed. Use ${writer ? `Mockademy ${writer}` : 'the version that wrote it'} or a later one, ` +
      'or start with --fresh to seed a new store (the old one is kept beside it).',
  )

const unreadable = (file: string, line: number, why: string, writer?: string) =>
  new StartError(
    2,
    `The store cannot be read: ${file}, line ${line}: ${why}. ${writer ? `Mockademy ${writer} wrote it. ` : ''}` +
      'Nothing was changed. Correct or move the file, or start with --fresh to seed a new store ' +
      '(the old one is kept beside it).',
  )
