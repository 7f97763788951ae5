import { open, readFile, stat } from 'node:fs/promises'
import { Low } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import { fold, parseJournal, parseSnapshot, type SnapshotDocument } from './snapshot-document.js'

/**
 * Folds the first `bytes` bytes of a store's journal into its `store.json`.
 * @returns the new size of `store.json` in bytes.
 */
export async function foldFiles(file: string, bytes: number): Promise<number> {
  const document = parseSnapshot(file, await readFile(file, 'utf8'))
  const journal = await open(`${file}.journal`)
  try {
    const buffer = Buffer.alloc(bytes)
    await journal.read(buffer, 0, bytes, 0)
    await writeSnapshot(file, fold(document, parseJournal(`${file}.journal`, buffer).lines))
  } finally {
    await journal.close()
  }
  return (await stat(file)).size
}

/** Replaces `store.json`, at once and whole. */
export async function writeSnapshot(file: string, document: SnapshotDocument): Promise<void> {
  await new Low<SnapshotDocument>(new JSONFile(file), document).write()
}
