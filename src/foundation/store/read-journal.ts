import { isUtf8 } from 'node:buffer'
import * as z from 'zod'
import { parseJsonText } from '../schema/json-text.js'
import { readStored } from '../schema/schema-issues.js'
import type { RecordChecks } from './record-checks.js'
import { isIntact, type JournalLine, rawLines, type StoreDocument } from './store-document.js'
import { bytesOf, unreadable } from './unreadable-store.js'

/** The first format with a checksum in each line. */
const CHECKED_SINCE = 3

export const counters = z.strictObject({ sequence: z.int().min(0), draws: z.int().min(0) })

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
export function readJournal(file: string, document: StoreDocument, checks: RecordChecks) {
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
