import { existsSync, statSync } from 'node:fs'
import { lockStore, type StoreLock } from './lock.js'
import type { FilesRead } from './read-files.js'
import type { AnyKinds } from './record-checks.js'
import { readSealed } from './seal.js'
import { StartError } from './start-error.js'
import { StoreFile } from './store-file.js'
import { realFile } from './store-folder.js'

interface OpenOptions {
  /** Every kind of record that may be in it. */
  kinds: AnyKinds
  version: string
  /** Sets existing files aside and starts a new store. */
  fresh?: boolean | undefined
  /** A folder that links may not lead out of. */
  within?: string | undefined
}

/**
 * Opens and locks a store's files.
 * @throws StartError when another process has it, when it cannot be read, or its folder cannot be written.
 */
export async function openStoreFile(given: string, { fresh = false, within, ...reading }: OpenOptions) {
  let file: string
  let lock: StoreLock
  let opened: StoreFile | undefined
  try {
    file = realFile(given, within)
    lock = await lockStore(file, () => opened?.look())
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(2, `The store ${given} cannot be written: ${(error as Error).message}`)
  }
  try {
    const read = fresh ? undefined : await readStore(file, reading)
    opened = new StoreFile(file, lock, reading.version, read, fresh, [...notesOn(file, lock, read)])
    return opened
  } catch (error) {
    lock.unlock()
    const { syscall, message } = error as NodeJS.ErrnoException
    throw syscall ? new StartError(2, `The store ${given} cannot be read: ${message}`) : error
  }
}

/** Reads the files; undefined when there are none yet. @throws StartError */
async function readStore(file: string, reading: Pick<OpenOptions, 'kinds' | 'version'>) {
  const changes = statSync(`${file}.journal`, { throwIfNoEntry: false })?.size ?? 0
  if (!existsSync(file) && changes === 0) return undefined
  const document = await readSealed(file, reading.version)
  if (document && changes === 0) {
    return { document, isOutdated: false, isEdited: false, journal: { whole: 0, torn: 0 }, isInTrial: false }
  }
  return (await import('./read-files.js')).readFiles(file, reading, document)
}

/** Yields what the user should know of the files, each as a sentence or two. */
function* notesOn(file: string, { waitedFor }: StoreLock, read: FilesRead | undefined): Generator<string> {
  if (waitedFor) yield `The lock of ${file} was left behind by ${waitedFor}, which is gone; it was taken over.`
  if (!read) return
  const { journal, isInTrial, isEdited, isOutdated } = read
  if (journal.torn > 0) {
    yield `The last line of ${file}.journal was cut off when the emulator was killed; it was dropped.`
  }
  if (isInTrial)
    yield 'The emulator stopped while a scenario was running: the world is restored to its state before the scenario.'
  if (isEdited) {
    yield `${file} was edited: its checksum does not match. Each record is valid; references between records were not checked.`
  }
  if (isOutdated) yield `${file} was written by an earlier release; it has been upgraded.`
}
