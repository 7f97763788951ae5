import { existsSync, statSync, truncateSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { writeSnapshot } from './fold-files.js'
import type { Counters } from './history.js'
import { JournalFile } from './journal-file.js'
import { lockStore, type StoreLock } from './lock.js'
import type { AnyKinds, FilesRead } from './read-files.js'
import { readSealed } from './seal.js'
import { FORMAT, type SnapshotDocument, type StoreContents, toLine } from './snapshot-document.js'
import { StartError } from './start-error.js'
import type { Change, Durability } from './store.js'
import { realFile, setAside } from './store-folder.js'
import { StoreWriteError } from './store-write-error.js'

/** A journal below this is not worth folding, however small the snapshot. */
const LEAST_FOLD = 1024 * 1024

/** A world's files: `store.json`, and `store.json.journal` with one line a change. design: "The store" */
export interface StoreFile extends Durability {
  /** What the files hold; undefined when there are none yet. */
  loaded: SnapshotDocument | undefined
  /** Said of the opening, such as a torn last line that was dropped. */
  notes: string[]
  /** Writes the first `store.json`, or goes on with the one that is there. Until then nothing on disk is changed. */
  begin(contents: () => StoreContents): Promise<void>
  /** Unlocks without writing: the start failed. */
  abandon(): void
  /** Folds the journal into `store.json` and unlocks. @throws StoreWriteError when it cannot; then nothing is lost. */
  close(contents: () => StoreContents): Promise<void>
}

interface OpenOptions {
  /** Every kind of record that may be in it. */
  kinds: AnyKinds
  /** Of this Mockademy. */
  version: string
  /** Sets what is there aside, and begins again. */
  fresh?: boolean | undefined
}

/**
 * Opens and locks a store's files.
 * @throws StartError when another process has it, when it cannot be read, or its folder cannot be written.
 */
export async function openStoreFile(given: string, { fresh = false, ...reading }: OpenOptions): Promise<StoreFile> {
  let file: string
  let lock: StoreLock
  try {
    file = realFile(given)
    lock = await lockStore(file)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(2, `The store ${given} cannot be written: ${(error as Error).message}`)
  }
  try {
    const read = fresh ? undefined : await readStore(file, reading)
    return new StoreFiles(file, lock, reading.version, read, fresh)
  } catch (error) {
    lock.unlock()
    throw error
  }
}

/** What the files hold; undefined when there are none yet. @throws StartError */
async function readStore(file: string, reading: Omit<OpenOptions, 'fresh'>): Promise<FilesRead | undefined> {
  if (!existsSync(file) && !existsSync(`${file}.journal`)) return undefined
  const document = readSealed(file, reading.version)
  if (document) return { document, isOutdated: false, journal: { whole: 0, torn: 0 } }
  return (await import('./read-files.js')).readFiles(file, reading)
}

class StoreFiles implements StoreFile {
  readonly journal: JournalFile
  readonly notes: string[] = []
  readonly loaded: SnapshotDocument | undefined
  #snapshotSize = 0
  /** The number of the last line. */
  #n: number
  #folding: Promise<void> | undefined
  /** After a failed fold: the journal's size before which none is tried again. */
  #nextFold = LEAST_FOLD
  #seededFrom: string

  constructor(
    readonly file: string,
    readonly lock: StoreLock,
    readonly version: string,
    readonly read: FilesRead | undefined,
    readonly fresh: boolean,
  ) {
    this.journal = new JournalFile(`${file}.journal`)
    this.loaded = read?.document
    this.#n = this.loaded?.folded ?? 0
    this.#seededFrom = this.loaded?.seeded_from ?? ''
    if (lock.waitedFor) {
      this.notes.push(`The lock of ${file} was left behind by ${lock.waitedFor}, which is gone; it was taken over.`)
    }
    if (read?.journal.torn) {
      this.notes.push(`The last line of ${this.journal.path} was cut off when the emulator was killed; it was dropped.`)
    }
    if (read?.isOutdated) this.notes.push(`${file} was of an earlier release; it was brought up to date.`)
  }

  async begin(contents: () => StoreContents): Promise<void> {
    try {
      if (this.fresh) setAside(this.file)
      if (!this.read || this.read.isOutdated) {
        await this.#write(contents())
        // Its lines are folded in by now, and of the earlier format.
        this.journal.remove()
      } else if (this.read.journal.torn > 0) truncateSync(this.journal.path, this.read.journal.whole)
      this.#snapshotSize = statSync(this.file).size
      this.journal.open()
    } catch (error) {
      throw new StartError(2, `The store ${this.file} cannot be written: ${(error as Error).message}`)
    }
    this.#foldWhenDue()
  }

  /** @throws StoreWriteError */
  append(changes: Change[], counters: Counters): void {
    if (!this.lock.isHeld()) throw this.#taken()
    this.journal.append(Buffer.from(toLine(this.#n + 1, changes, counters)))
    this.#n++
    this.#foldWhenDue()
  }

  abandon(): void {
    this.journal.close()
    this.lock.unlock()
  }

  async close(contents: () => StoreContents): Promise<void> {
    await this.#folding
    this.journal.close()
    try {
      if (!this.lock.isHeld()) throw this.#taken()
      if (this.journal.size > 0) await this.#write(contents())
      this.journal.remove()
    } catch (error) {
      if (error instanceof StoreWriteError) throw error
      throw new StoreWriteError(
        `${this.file} cannot be written: ${(error as Error).message}. Nothing is lost: ${this.journal.path} ` +
          'has every change, and the next start reads it.',
      )
    } finally {
      this.lock.unlock()
    }
  }

  #taken(): StoreWriteError {
    return new StoreWriteError(`another process has taken over ${this.file}: this one did not answer for too long`)
  }

  #write(contents: StoreContents): Promise<void> {
    const { version } = this
    const seeded_from = this.#seededFrom || contents.seeded_from
    this.#seededFrom = seeded_from
    return writeSnapshot(this.file, { mockademy: FORMAT, version, folded: this.#n, ...contents, seeded_from })
  }

  #foldWhenDue(): void {
    const { size } = this.journal
    if (this.#folding || size < Math.max(this.#nextFold, this.#snapshotSize) || !this.lock.isHeld()) return
    this.#folding = foldInThread(this.file, size)
      .then((snapshotSize) => {
        this.#snapshotSize = snapshotSize
        this.journal.dropFirst(size)
        this.#nextFold = LEAST_FOLD
      })
      .catch(() => {
        // The journal still holds everything; try again when it has doubled.
        this.#nextFold = 2 * size
      })
      .finally(() => {
        this.#folding = undefined
        if (this.journal.isOpen) this.#foldWhenDue()
      })
  }
}

const foldInThread = (file: string, bytes: number) =>
  new Promise<number>((resolve, reject) => {
    const worker = new Worker(new URL('./fold-worker.cjs', import.meta.url), { workerData: { file, bytes } })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the folding thread ended early')))
  })
