import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { CollectionName } from './kind.js'
import { FORMAT, type OutgoingDocument, type StoreDocument, type StoreHeader } from './store-document.js'
import { documentText, LayoutError, PIECE, readLayout } from './store-layout.js'

// The first line of `store.json` has a SHA-256 of the rest. If it matches and this version wrote the file, a start neither
// checks the records nor loads zod.

const FIELD = '{\n  "sealed": "'
const AFTER = '",\n'
const DIGEST_LENGTH = 64
const START = FIELD.length + DIGEST_LENGTH + AFTER.length

const firstLines = (digest: string) => `${FIELD}${digest}${AFTER}`

/** Writes a document with its seal into a new file. */
export async function writeSealed(handle: FileHandle, document: OutgoingDocument): Promise<void> {
  const hash = createHash('sha256')
  await handle.writeFile(firstLines(' '.repeat(DIGEST_LENGTH)))
  for await (const text of documentText(document)) {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    await handle.writeFile(bytes)
  }
  await handle.write(firstLines(hash.digest('hex')), 0)
}

/** Returns true when the rest of a store's bytes matches the seal on its first line. */
export async function isSealed(file: string): Promise<boolean> {
  const hash = createHash('sha256')
  let first: string | undefined
  for await (const bytes of createReadStream(file, { highWaterMark: PIECE })) {
    hash.update(first === undefined ? bytes.subarray(START) : bytes)
    first ??= bytes.subarray(0, START).toString()
  }
  return first === firstLines(hash.digest('hex'))
}

/** Reads a store's document as this version of Mockademy wrote it; undefined for any other, which needs checks. */
export async function readSealed(file: string, version: string): Promise<StoreDocument | undefined> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile() || !(await isSealed(file))) return undefined
  try {
    return await readLayout(file, async (header, blocks) => {
      const { sealed: _, collections: __, ...fields } = JSON.parse(header) as StoreHeader & Record<string, unknown>
      if (fields.mockademy !== FORMAT || fields.version !== version) return undefined
      const collections: StoreDocument['collections'] = new Map()
      for await (const { collection, text } of blocks) {
        const name = collection as CollectionName
        const records = collections.get(name) ?? []
        collections.set(name, records)
        for (const record of JSON.parse(`[${text}]`)) records.push(record)
      }
      return { ...fields, collections }
    })
  } catch (error) {
    if (error instanceof LayoutError) return undefined
    throw error
  }
}
