import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { FORMAT, type SnapshotDocument } from './snapshot-document.js'

// A store's first line says what the rest of its bytes are: as they are what this version wrote, every record in them is
// one that it had checked, and a start that finds them so need not check them again, nor load what it checks with.
// What somebody has edited, or another version wrote, is checked record by record.

const FIELD = '{\n  "sealed": "'
const AFTER = '",\n'
const DIGEST_LENGTH = 64

const digestOf = (rest: string | Buffer) => createHash('sha256').update(rest).digest('hex')

/** The text of a store with its seal. */
export function sealed(document: SnapshotDocument): string {
  const rest = JSON.stringify(document, null, 2).slice('{\n'.length)
  return `${FIELD}${digestOf(rest)}${AFTER}${rest}`
}

/** The document of a store's bytes, when they are as they were written. */
export function unsealed(bytes: Buffer): SnapshotDocument | undefined {
  const start = FIELD.length + DIGEST_LENGTH + AFTER.length
  const seal = bytes.subarray(0, start).toString()
  if (seal !== `${FIELD}${digestOf(bytes.subarray(start))}${AFTER}`) return undefined
  const { sealed: _, ...document } = JSON.parse(bytes.toString()) as SnapshotDocument & { sealed: string }
  return document
}

/**
 * The document of a store as this version wrote it; undefined when there is none, or anything about the file may be
 * another way: then it is to be read with care.
 * @param version of this Mockademy.
 */
export function readSealed(file: string, version: string): SnapshotDocument | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
  const document = unsealed(readFileSync(file))
  return document?.mockademy === FORMAT && document.version === version ? document : undefined
}
