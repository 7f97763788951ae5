import { open, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Low } from 'lowdb'
import { DataFile } from 'lowdb/node'
import { sealed } from './seal.js'
import { fold, linesOf, type SnapshotDocument } from './snapshot-document.js'

/**
 * Folds the first `bytes` bytes of a store's journal into its `store.json`, both as this process has written them.
 * @returns the new size of `store.json` in bytes.
 */
export async function foldFiles(file: string, bytes: number): Promise<number> {
  const { sealed: _, ...document } = JSON.parse(await readFile(file, 'utf8')) as SnapshotDocument & { sealed: string }
  const buffer = Buffer.alloc(bytes)
  const journal = await open(`${file}.journal`)
  try {
    await journal.read(buffer, 0, bytes, 0)
  } finally {
    await journal.close()
  }
  await writeSnapshot(file, fold(document, linesOf(buffer)))
  return (await stat(file)).size
}

/** Replaces `store.json`, at once and whole; nobody but its owner may read it, as it holds secrets. */
export async function writeSnapshot(file: string, document: SnapshotDocument): Promise<void> {
  // Where lowdb writes before it renames.
  const temporary = join(dirname(file), `.${basename(file)}.tmp`)
  try {
    // lowdb gives new files the mode of everybody's; it leaves that of one which is there.
    await (await open(temporary, 'w', 0o600)).close()
    await new Low(new DataFile(file, { parse: JSON.parse, stringify: sealed }), document).write()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
