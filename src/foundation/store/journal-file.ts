import {
  closeSync,
  copyFileSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import type { StagingFolder } from './staging-folder.js'
import { StoreWriteError } from './store-write-error.js'

/**
 * A store's `store.json.journal`, to which each change appends a line. Once open it is used by its descriptor: the name
 * may lead to another owner's.
 */
export class JournalFile {
  /** Open until the last change has come. */
  #fd: number | undefined
  #size = 0

  constructor(readonly path: string) {}

  /** Size of its whole lines in bytes. */
  get size(): number {
    return this.#size
  }

  get isOpen(): boolean {
    return this.#fd !== undefined
  }

  /** Opens a copy of the first bytes of the journal that is there, in its place: an owner before may have that open. */
  open(bytes: number, staging: StagingFolder): void {
    if (bytes > 0) copyFileSync(this.path, staging.join('journal'))
    else writeFileSync(staging.join('journal'), '', { mode: 0o600 })
    this.#moveOut(staging, bytes)
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  /** True when it was visibly deleted or replaced. */
  isGone(): boolean {
    if (this.#fd === undefined) return false
    try {
      const now = statSync(this.path, { throwIfNoEntry: false })
      // Some file systems give the same file another number.
      return !now || (now.ino !== fstatSync(this.#fd).ino && now.size !== this.#size)
    } catch {
      return false
    }
  }

  /** Appends a line. One that is not written whole, or not confirmed, is cut off. @throws StoreWriteError */
  append(line: Buffer, confirm: () => void): void {
    const fd = this.#fd
    if (fd === undefined) throw new StoreWriteError(`${this.path} is closed`)
    try {
      for (let written = 0; written < line.length; ) {
        written += writeSync(fd, line, written, line.length - written, this.#size + written)
      }
      confirm()
    } catch (error) {
      ftruncateSync(fd, this.#size)
      if (error instanceof StoreWriteError) throw error
      throw new StoreWriteError(`${this.path}: ${(error as Error).message}`)
    }
    this.#size += line.length
  }

  /** Cuts off the first bytes, which are folded. A kill before the rename leaves lines that reading skips. */
  dropFirst(bytes: number, staging: StagingFolder): void {
    if (this.#fd === undefined) return
    const tail = Buffer.alloc(this.#size - bytes)
    readSync(this.#fd, tail, 0, tail.length, bytes)
    writeFileSync(staging.join('journal'), tail, { mode: 0o600 })
    this.#moveOut(staging, tail.length)
  }

  #moveOut(staging: StagingFolder, size: number): void {
    const fd = openSync(staging.join('journal'), 'r+')
    try {
      // A copy has the mode of what was there.
      fchmodSync(fd, 0o600)
      ftruncateSync(fd, size)
      // Windows renames nothing over a file that is open.
      if (process.platform === 'win32') this.close()
      staging.moveOut('journal', this.path)
    } catch (error) {
      closeSync(fd)
      throw error
    }
    this.close()
    this.#fd = fd
    this.#size = size
  }
}
