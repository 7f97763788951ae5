import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { writeSnapshot } from './fold-files.js'
import type { Counters } from './history.js'
import { lockStore } from './lock.js'
import { fold, parseJournal, parseSnapshot, type SnapshotDocument, toLine } from './snapshot-document.js'
import { StartRefusal } from './start-refusal.js'
import type { Change, Durability } from './store.js'

/** A journal below this is not worth folding, however small the snapshot. */
const LEAST_FOLD = 1024 * 1024

/** A world's files: `store.json`, and `store.json.journal` with one line a change. design: "The store" */
export interface StoreFile extends Durability {
  /** What the files hold; undefined when there are none yet. */
  loaded: SnapshotDocument | undefined
  /** Said of the loading, such as a torn last line that was dropped. */
  notes: string[]
  /** Writes the first `store.json`. */
  begin(document: Omit<SnapshotDocument, 'mockademy' | 'folded'>): Promise<void>
  /** Unlocks without writing: the start did not come to pass. */
  abandon(): void
  /** Folds the journal into `store.json` and unlocks. */
  close(document: () => Omit<SnapshotDocument, 'mockademy' | 'folded'>): Promise<void>
}

/**
 * Opens and locks a store's files.
 * @param fresh sets what is there aside, and begins again.
 * @throws StartRefusal when another process has it, when it cannot be read, or its folder cannot be written.
 */
export function openStoreFile(file: string, { fresh = false }: { fresh?: boolean | undefined } = {}): StoreFile {
  const journalFile = `${file}.journal`
  let unlock: () => void
  try {
    mkdirSync(dirname(file), { recursive: true })
    unlock = lockStore(file)
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    throw new StartRefusal(2, `The store ${file} cannot be written: ${(error as Error).message}`)
  }
  try {
    if (fresh) setAside(file)
    const notes: string[] = []
    const loaded = load(file, notes)
    return new StoreFiles(file, journalFile, unlock, loaded, notes)
  } catch (error) {
    unlock()
    throw error
  }
}

function load(file: string, notes: string[]): SnapshotDocument | undefined {
  const journalFile = `${file}.journal`
  const hasJournal = existsSync(journalFile)
  if (!existsSync(file)) {
    if (!hasJournal) return undefined
    const why = `${journalFile} is there, but ${file}, which it belongs to, is not`
    throw new StartRefusal(2, `The store cannot be read: ${why}. Bring it back, or start with --fresh.`)
  }
  const document = parseSnapshot(file, readText(file))
  if (!hasJournal) return document
  const bytes = readFileSync(journalFile)
  const { lines, torn } = parseJournal(journalFile, bytes)
  if (torn > 0) {
    truncateSync(journalFile, bytes.length - torn)
    notes.push(`The last line of ${journalFile} was cut off when the emulator was killed; it was dropped.`)
  }
  const first = lines[0]
  if (first && first.n > document.folded + 1) {
    const why = `${journalFile}, line 1: a change before it is missing`
    throw new StartRefusal(2, `The store cannot be read: ${why}. Nothing was changed.`)
  }
  return fold(document, lines)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartRefusal(2, `The store ${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Keeps the present files beside the new ones, under the first free name `….old-1`, `….old-2`, … */
function setAside(file: string): void {
  if (!existsSync(file) && !existsSync(`${file}.journal`)) return
  let number = 1
  while (existsSync(`${file}.old-${number}`)) number++
  const old = `${file}.old-${number}`
  if (existsSync(file)) renameSync(file, old)
  if (existsSync(`${file}.journal`)) renameSync(`${file}.journal`, `${old}.journal`)
}

/** A change that could not be made durable. */
export class StoreWriteError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreWriteError'
  }
}

class StoreFiles implements StoreFile {
  /** The journal, open for appending; undefined until the first change. */
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
    readonly journalFile: string,
    readonly unlock: () => void,
    readonly loaded: SnapshotDocument | undefined,
    readonly notes: string[],
  ) {
    this.#n = loaded?.folded ?? 0
    this.#seededFrom = loaded?.seeded_from ?? ''
    if (loaded) {
      this.#snapshotSize = statSync(file).size
      this.#openJournal()
      this.#foldWhenDue()
    }
  }

  async begin(document: Omit<SnapshotDocument, 'mockademy' | 'folded'>): Promise<void> {
    this.#seededFrom = document.seeded_from
    try {
      await writeSnapshot(this.file, { mockademy: 1, folded: this.#n, ...document })
      this.#snapshotSize = statSync(this.file).size
      this.#openJournal()
    } catch (error) {
      this.unlock()
      throw new StartRefusal(2, `The store ${this.file} cannot be written: ${(error as Error).message}`)
    }
  }

  /** Appends a line. One that cannot be written whole is cut off again. @throws StoreWriteError */
  append(changes: Change[], counters: Counters): void {
    const line = Buffer.from(toLine(this.#n + 1, changes, counters))
    try {
      if (this.#fd === undefined) throw new Error('the journal is closed')
      for (let written = 0; written < line.length; ) written += writeSync(this.#fd, line, written)
    } catch (error) {
      if (this.#fd !== undefined) ftruncateSync(this.#fd, this.#size)
      throw new StoreWriteError(`${this.journalFile}: ${(error as Error).message}`)
    }
    this.#n++
    this.#size += line.length
    this.#foldWhenDue()
  }

  abandon(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
    this.unlock()
  }

  async close(document: () => Omit<SnapshotDocument, 'mockademy' | 'folded'>): Promise<void> {
    await this.#folding
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
    try {
      if (this.#size > 0) {
        await writeSnapshot(this.file, { mockademy: 1, folded: this.#n, ...document(), seeded_from: this.#seededFrom })
      }
      rmSync(this.journalFile, { force: true })
    } finally {
      this.unlock()
    }
  }

  #openJournal(): void {
    this.#fd = openSync(this.journalFile, 'a')
    this.#size = statSync(this.journalFile).size
  }

  #foldWhenDue(): void {
    if (this.#folding || this.#size < Math.max(this.#nextFold, this.#snapshotSize)) return
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
    writeFileSync(`${this.journalFile}.tmp`, tail)
    renameSync(`${this.journalFile}.tmp`, this.journalFile)
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#openJournal()
  }
}

const foldInThread = (file: string, bytes: number) =>
  new Promise<number>((resolve, reject) => {
    const worker = new Worker(new URL('./fold-worker.js', import.meta.url), { workerData: { file, bytes } })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the folding thread ended early')))
  })
