import {
  closeSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { Worker } from 'node:worker_threads'
import { writeSnapshot } from './fold-files.js'
import type { Counters } from './history.js'
import { lockStore, type StoreLock } from './lock.js'
import type { AnyKinds, FilesRead } from './read-files.js'
import { readSealed } from './seal.js'
import { FORMAT, type SnapshotDocument, type StoreContents, toLine } from './snapshot-document.js'
import { StartError } from './start-error.js'
import type { Change, Durability } from './store.js'
import { realFile, setAside } from './store-folder.js'

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
  /** Unlocks without writing: the start did not come to pass. */
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

/** A change that could not be made durable. */
export class StoreWriteError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreWriteError'
  }
}

class StoreFiles implements StoreFile {
  readonly journalFile: string
  readonly notes: string[] = []
  readonly loaded: SnapshotDocument | undefined
  /** The journal, open for appending; undefined until the first change may come. */
  #fd: number | undefined
  #size = 0
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
    this.journalFile = `${file}.journal`
    this.loaded = read?.document
    this.#n = this.loaded?.folded ?? 0
    this.#seededFrom = this.loaded?.seeded_from ?? ''
    if (lock.waitedFor) {
      this.notes.push(`The lock of ${file} was left behind by ${lock.waitedFor}, which is gone; it was taken over.`)
    }
    if (read?.journal.torn) {
      this.notes.push(`The last line of ${this.journalFile} was cut off when the emulator was killed; it was dropped.`)
    }
    if (read?.isOutdated) this.notes.push(`${file} was of an earlier release; it was brought up to date.`)
  }

  async begin(contents: () => StoreContents): Promise<void> {
    try {
      if (this.fresh) setAside(this.file)
      if (!this.read || this.read.isOutdated) {
        await this.#write(contents())
        // Its lines are folded in by now, and of the earlier format.
        rmSync(this.journalFile, { force: true })
      } else if (this.read.journal.torn > 0) truncateSync(this.journalFile, this.read.journal.whole)
      this.#snapshotSize = statSync(this.file).size
      this.#openJournal()
    } catch (error) {
      throw new StartError(2, `The store ${this.file} cannot be written: ${(error as Error).message}`)
    }
    this.#foldWhenDue()
  }

  /** Appends a line. One that cannot be written whole is cut off again. @throws StoreWriteError */
  append(changes: Change[], counters: Counters): void {
    if (!this.lock.isHeld()) throw this.#taken()
    const line = Buffer.from(toLine(this.#n + 1, changes, counters))
    try {
      const fd = this.#fd ?? this.#openJournal()
      for (let written = 0; written < line.length; ) written += writeSync(fd, line, written)
    } catch (error) {
      this.#cutOff()
      throw new StoreWriteError(`${this.journalFile}: ${(error as Error).message}`)
    }
    this.#n++
    this.#size += line.length
    this.#foldWhenDue()
  }

  abandon(): void {
    this.#closeJournal()
    this.lock.unlock()
  }

  async close(contents: () => StoreContents): Promise<void> {
    await this.#folding
    this.#closeJournal()
    try {
      if (!this.lock.isHeld()) throw this.#taken()
      if (this.#size > 0) await this.#write(contents())
      rmSync(this.journalFile, { force: true })
    } catch (error) {
      if (error instanceof StoreWriteError) throw error
      throw new StoreWriteError(
        `${this.file} cannot be written: ${(error as Error).message}. Nothing is lost: ${this.journalFile} ` +
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

  #openJournal(): number {
    this.#fd = openSync(this.journalFile, 'a', 0o600)
    this.#size = statSync(this.journalFile).size
    return this.#fd
  }

  #closeJournal(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  /** Cuts off what was written of a line. The file is closed for that: Windows truncates none that is open. */
  #cutOff(): void {
    if (this.#fd === undefined) return
    this.#closeJournal()
    truncateSync(this.journalFile, this.#size)
    this.#openJournal()
  }

  #foldWhenDue(): void {
    if (this.#folding || this.#size < Math.max(this.#nextFold, this.#snapshotSize) || !this.lock.isHeld()) return
    const bytes = this.#size
    this.#folding = foldInThread(this.file, bytes)
      .then((snapshotSize) => {
        this.#snapshotSize = snapshotSize
        this.#dropFolded(bytes)
        this.#nextFold = LEAST_FOLD
      })
      .catch(() => {
        // The journal still holds everything; try again when it has doubled.
        this.#nextFold = 2 * bytes
      })
      .finally(() => {
        this.#folding = undefined
        if (this.#fd !== undefined) this.#foldWhenDue()
      })
  }

  /** Cuts off the journal's first bytes. A kill before the rename leaves lines that reading skips. */
  #dropFolded(bytes: number): void {
    const tail = Buffer.alloc(this.#size - bytes)
    const reader = openSync(this.journalFile, 'r')
    readSync(reader, tail, 0, tail.length, bytes)
    closeSync(reader)
    const temporary = `${this.journalFile}.tmp`
    try {
      writeFileSync(temporary, tail, { mode: 0o600 })
      // Windows renames nothing over a file that is open.
      this.#closeJournal()
      renameSync(temporary, this.journalFile)
    } finally {
      rmSync(temporary, { force: true })
      this.#openJournal()
    }
  }
}

const foldInThread = (file: string, bytes: number) =>
  new Promise<number>((resolve, reject) => {
    const worker = new Worker(new URL('./fold-worker.cjs', import.meta.url), { workerData: { file, bytes } })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the folding thread ended early')))
  })
