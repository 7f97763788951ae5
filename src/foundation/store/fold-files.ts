import { open, readFile, stat } from 'node:fs/promises'
import { Low } from 'lowdb'
import { DataFile } from 'lowdb/node'
import { sealed, unsealed } from './seal.js'
import { fold, linesOf, type SnapshotDocument } from './snapshot-document.js'
import { StagingFolder } from './staging-folder.js'

/**
 * Folds the first `bytes` bytes of a store's journal into its `store.json`, both as this process has written them.
 * @param owner the id in the store's lock.
 * @returns the new size of `store.json` in bytes.
 * @throws Error when either is not as it was written: it would be sealed as if it were.
 */
export async function foldFiles(file: string, owner: string, bytes: number): Promise<number> {
  const document = unsealed(await readFile(file))
  if (!document) throw new Error(`${file} has been changed`)
  const buffer = Buffer.alloc(bytes)
  const journal = await open(`${file}.journal`)
  try {
    await journal.read(buffer, 0, bytes, 0)
  } finally {
    await journal.close()
  }
  await writeSnapshot(file, owner, fold(document, linesOf(buffer)))
  return (await stat(file)).size
}

/** Replaces `store.json`, at once and whole; nobody but its owner may read it, as it holds secrets. */
export async function writeSnapshot(file: string, owner: string, document: SnapshotDocument): Promise<void> {
  const staging = new StagingFolder(file, owner)
  try {
    // lowdb gives new files the mode of everybody's; it leaves that of one which is there, where it writes.
    await (await open(staging.join('.snapshot.tmp'), 'wx', 0o600)).close()
    const adapter = new DataFile<SnapshotDocument>(staging.join('snapshot'), { parse: JSON.parse, stringify: sealed })
    await new Low(adapter, document).write()
    staging.moveOut('snapshot', file)
  } finally {
    staging.remove()
  }
}
