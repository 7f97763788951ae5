import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

/** Where a line stands in its file, in bytes. */
export interface LinePlace {
  offset: number
  length: number
}

/** JSON values, one a line, that are too many for memory: appended in order, read back by place. Only its owner may read it. */
export class LineFile {
  readonly #file: number
  #size: number

  /** @param size what is to be kept of a file that is there: a line beyond it was never finished. */
  constructor(path: string, size: number) {
    this.#file = openSync(path, 'a+', 0o600)
    this.#size = Math.min(size, fstatSync(this.#file).size)
    ftruncateSync(this.#file, this.#size)
  }

  /** In bytes. */
  get size(): number {
    return this.#size
  }

  /** Forgets what stands from `size` on. */
  truncate(size: number): void {
    ftruncateSync(this.#file, size)
    this.#size = size
  }

  append(value: unknown): LinePlace {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`)
    const place = { offset: this.#size, length: bytes.length }
    writeSync(this.#file, bytes)
    this.#size += bytes.length
    return place
  }

  read({ offset, length }: LinePlace): unknown {
    const bytes = Buffer.alloc(length)
    readSync(this.#file, bytes, 0, length, offset)
    return JSON.parse(bytes.toString())
  }

  /** Every line, in order. */
  *lines(): Generator<{ value: unknown; place: LinePlace }> {
    const chunk = Buffer.alloc(256 * 1024)
    let rest = Buffer.alloc(0)
    let offset = 0
    for (let at = 0; at < this.#size; ) {
      const count = readSync(this.#file, chunk, 0, chunk.length, at)
      at += count
      rest = Buffer.concat([rest, chunk.subarray(0, count)])
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const length = end + 1
        yield { value: JSON.parse(rest.subarray(0, end).toString()), place: { offset, length } }
        offset += length
        rest = rest.subarray(length)
      }
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}
