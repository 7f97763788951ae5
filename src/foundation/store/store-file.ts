import { existsSync, statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { writeDocument } from './fold-files.js'
import type { Counters } from './history.js'
import { JournalFile } from './journal-file.js'
import type { StoreLock } from './lock.js'
import { lockOf, renewLock } from './lock-file.js'
import type { FilesRead } from './read-files.js'
import { StagingFolder } from './staging-folder.js'
import { StartError } from './start-error.js'
import type { Change, Durability, TrialEvent } from './store.js'
import { FORMAT, type StoreContents, type StoreDocument, toLine } from './store-document.js'
import { setAside } from './store-folder.js'
import { StoreWriteError } from './store-write-error.js'

/** A journal below this is not worth folding, however small `store.json`. */
const MIN_FOLD_SIZE = 1024 * 1024
/** One above this is, however large `store.json`: a fold and a start after a kill hold it in memory. */
const MAX_JOURNAL_SIZE = 64 * 1024 * 1024

/** A world's files: `store.json`, and `store.json.journal` with one line a change. design: "The store" */
export class StoreFile implements Durability {
  readonly journal: JournalFile
  /** The content of the files. */
  readonly loaded: StoreDocument | undefined
  #documentSize = 0
  /** The number of the last line, and of the last one that is in `store.json`. */
  #n: number
  #folded: number
  /** True when the journal was deleted after it was opened. */
  #isGone = false
  #folding: Promise<void> | undefined
  /** Size of the journal below which no fold is tried, raised by a failed one. */
  #nextFold = MIN_FOLD_SIZE
  #seededFrom: string
  #isInTrial: boolean

  /**
   * @param read the files; undefined when there are none yet.
   * @param fresh sets aside what is there.
   * @param notes warnings from opening the store, e.g. that a truncated last line was dropped.
   */
  constructor(
    readonly file: string,
    readonly lock: StoreLock,
    readonly version: string,
    readonly read: FilesRead | undefined,
    readonly fresh: boolean,
    readonly notes: string[],
  ) {
    this.journal = new JournalFile(`${file}.journal`)
    this.loaded = read?.document
    this.#n = this.loaded?.folded ?? 0
    this.#folded = this.#n
    this.#seededFrom = this.loaded?.seeded_from ?? ''
    this.#isInTrial = read?.isInTrial ?? false
  }

  /**
   * Writes the first `store.json`, or goes on with the one that is there. Until then nothing on disk is changed.
   * @param url the address of the emulator.
   */
  async begin(url: string, contents: () => StoreContents): Promise<void> {
    try {
      this.lock.answersAt(url)
      if (this.fresh) setAside(this.file)
      // A fold reads what this version has laid out and sealed. Lines of an earlier format go when they are in that;
      // those of another world before it is written.
      const isRenewed = this.read?.isOutdated || this.read?.isEdited
      if (isRenewed) await this.#write(contents())
      const kept = isRenewed ? 0 : (this.read?.journal.whole ?? 0)
      this.#staged((staging) => this.journal.open(kept, staging))
      if (!this.read) await this.#write(contents())
      if (this.#isInTrial && this.loaded) this.append([], this.loaded.counters, 'ended')
      this.#documentSize = statSync(this.file).size
    } catch (error) {
      throw new StartError(2, `The store ${this.file} cannot be written: ${(error as Error).message}`)
    }
    this.#foldWhenDue()
  }

  /** @throws StoreWriteError, except for the end of a trial: the next change says that it has ended. */
  append(changes: Change[], counters: Counters, trial?: TrialEvent): void {
    if (trial === 'ended') this.#isInTrial = false
    try {
      this.#confirm()
      // And again when it is written: the process may have slept in between, and the store be another's.
      this.journal.append(Buffer.from(toLine(this.#n + 1, changes, counters, trial)), () => this.#confirm())
    } catch (error) {
      if (trial === 'ended') return
      throw error
    }
    this.#n++
    if (trial === 'began') this.#isInTrial = true
    this.#foldWhenDue()
  }

  /** Looks whether the journal is still there. A process that has taken over has replaced it, and lost nothing. */
  look(): void {
    const isTakenOver = () => existsSync(lockOf(this.file)) && renewLock(this.file, this.lock.id) !== undefined
    this.#isGone ||= this.journal.isGone() && !isTakenOver()
  }

  /** Unlocks without writing: the start failed. */
  abandon(): void {
    this.journal.close()
    this.lock.unlock()
  }

  /** Folds the journal into `store.json` and unlocks. @throws StoreWriteError when it cannot, saying what is lost. */
  async close(contents: () => StoreContents): Promise<void> {
    // The end of a fold may begin the next one.
    while (this.#folding) await this.#folding
    try {
      this.look()
      this.#confirm()
      this.journal.close()
      // The journal has the world as it was when the trial began.
      if (this.#isInTrial) return
      if (this.journal.size > 0 || !existsSync(this.file)) await this.#write(contents())
      this.#staged((staging) => staging.moveIn(this.journal.path))
    } catch (error) {
      const why =
        error instanceof StoreWriteError ? error.message : `${this.file} cannot be written: ${(error as Error).message}`
      throw new StoreWriteError(`${why}. ${this.#whatIsLost()}`)
    } finally {
      this.journal.close()
      this.lock.unlock()
    }
  }

  /** @throws StoreWriteError when this process cannot write to the store any more. */
  #confirm(): void {
    // Asked first, since that looks at the journal too.
    const lost = this.lock.lost()
    if (this.#isGone) throw new StoreWriteError(`${this.journal.path} was deleted while the emulator was running`)
    if (lost) throw new StoreWriteError(lost)
  }

  #whatIsLost(): string {
    if (!this.#isGone) return `Nothing is lost: ${this.file} and its journal have every change.`
    if (!existsSync(this.file)) return `The world is lost: ${this.file} is gone too.`
    const changes = this.#n - this.#folded
    return `${changes} ${changes === 1 ? 'change' : 'changes'} since ${this.file} was last written ${changes === 1 ? 'is' : 'are'} lost.`
  }

  async #write(contents: StoreContents): Promise<void> {
    const { version } = this
    const seeded_from = this.#seededFrom || contents.seeded_from
    this.#seededFrom = seeded_from
    const folded = this.#n
    await writeDocument(this.file, this.lock.id, { mockademy: FORMAT, version, folded, ...contents, seeded_from })
    this.#folded = folded
  }

  #staged(work: (staging: StagingFolder) => void): void {
    using staging = new StagingFolder(this.file, this.lock.id)
    work(staging)
  }

  #foldWhenDue(): void {
    const { size } = this.journal
    const due = Math.max(this.#nextFold, Math.min(this.#documentSize, MAX_JOURNAL_SIZE))
    if (this.#folding || this.#isInTrial || size < due || this.lock.lost()) return
    const last = this.#n
    this.#folding = foldInThread(this.file, this.lock.id, size)
      .then((documentSize) => {
        this.#documentSize = documentSize
        this.#folded = last
        this.#staged((staging) => this.journal.dropFirst(size, staging))
        this.#nextFold = MIN_FOLD_SIZE
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

const foldInThread = (file: string, owner: string, bytes: number) =>
  new Promise<number>((resolve, reject) => {
    const worker = new Worker(new URL('./fold-worker.cjs', import.meta.url), { workerData: { file, owner, bytes } })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the folding thread ended early')))
  })
