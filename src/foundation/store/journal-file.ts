import {
  closeSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { StoreWriteError } from './store-write-error.js'

/** A store's `store.json.journal`, to which each change appends a line. */
export class JournalFile {
  /** Open for appending; undefined until the first change may come. */
  #fd: number | undefined
  #size = 0

  constructor(readonly path: string) {}

  /** In bytes, of whole lines. */
  get size(): number {
    return this.#size
  }

  get isOpen(): boolean {
    return this.#fd !== undefined
  }

  open(): number {
    this.#fd = openSync(this.path, 'a', 0o600)
    this.#size = statSync(this.path).size
    return this.#fd
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  /** Appends a line. One that cannot be written whole is cut off again. @throws StoreWriteError */
  append(line: Buffer): void {
    try {
      const fd = this.#fd ?? this.open()
      for (let written = 0; written < line.length; ) written += writeSync(fd, line, written)
    } catch (error) {
      this.#cutOff()
      throw new StoreWriteError(`${this.path}: ${(error as Error).message}`)
    }
    this.#size += line.length
  }

  /** Cuts off the first bytes, which are folded. A kill before the rename leaves lines that reading skips. */
  dropFirst(bytes: number): void {
    const tail = Buffer.alloc(this.#size - bytes)
    const reader = openSync(this.path, 'r')
    readSync(reader, tail, 0, tail.length, bytes)
    closeSync(reader)
    const temporary = `${this.path}.tmp`
    try {
      writeFileSync(temporary, tail, { mode: 0o600 })
      // Windows renames nothing over a file that is open.
      this.close()
      renameSync(temporary, this.path)
    } finally {
      rmSync(temporary, { force: true })
      this.open()
    }
  }

  remove(): void {
    rmSync(this.path, { force: true })
  }

  /** Cuts off what was written of a line. The file is closed for that: Windows truncates none that is open. */
  #cutOff(): void {
    if (this.#fd === undefined) return
    this.close()
    truncateSync(this.path, this.#size)
    this.open()
  }
}
