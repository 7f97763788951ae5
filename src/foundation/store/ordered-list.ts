const CHUNK = 512

/**
 * Records in the order of `compare`, in chunks, so that an insert or a removal among 100,000 moves hundreds of slots,
 * and the rank of a record (an element's position) is found without counting. `compare` returns 0 for two records only
 * while a restore replaces one by the other: a snapshot's record may have the sequence number and the time of one that it
 * has not.
 */
export class OrderedList<R> {
  #chunks: R[][] = []
  #size = 0

  constructor(readonly compare: (a: R, b: R) => number) {}

  get size(): number {
    return this.#size
  }

  /** Replaces the content by `records`, in any order. */
  load(records: R[]): void {
    const sorted = records.toSorted(this.compare)
    this.#chunks = []
    for (let start = 0; start < sorted.length; start += CHUNK) this.#chunks.push(sorted.slice(start, start + CHUNK))
    this.#size = sorted.length
  }

  insert(record: R): void {
    const { chunk, slot } = this.#locate(record)
    const target = this.#chunks[chunk]
    if (!target) this.#chunks.push([record])
    else {
      target.splice(slot, 0, record)
      if (target.length > 2 * CHUNK) this.#chunks.splice(chunk + 1, 0, target.splice(CHUNK))
    }
    this.#size++
  }

  /** Removes a record that is in the list. */
  remove(record: R): void {
    const place = this.#locate(record)
    let target = this.#chunks[place.chunk] as R[]
    while (target[place.slot] !== record) {
      if (++place.slot < target.length) continue
      target = this.#chunks[++place.chunk] as R[]
      place.slot = 0
    }
    target.splice(place.slot, 1)
    if (target.length === 0) this.#chunks.splice(place.chunk, 1)
    this.#size--
  }

  /** Counts the records before `record`, which need not be in the list. */
  rank(record: R): number {
    const { chunk, slot } = this.#locate(record)
    let before = slot
    for (const { length } of this.#chunks.slice(0, chunk)) before += length
    return before
  }

  at(rank: number): R | undefined {
    let left = rank
    for (const chunk of this.#chunks) {
      if (left < chunk.length) return chunk[left]
      left -= chunk.length
    }
    return undefined
  }

  /** Yields the records from the first to the last. */
  *[Symbol.iterator](): Generator<R> {
    for (const chunk of this.#chunks) yield* chunk
  }

  /** Yields the records from the last to the first, beginning with that of rank `before - 1`. */
  *backwards(before = this.#size): Generator<R> {
    let above = this.#size
    for (let index = this.#chunks.length - 1; index >= 0; index--) {
      const chunk = this.#chunks[index] as R[]
      above -= chunk.length
      for (let slot = Math.min(chunk.length, before - above) - 1; slot >= 0; slot--) yield chunk[slot] as R
    }
  }

  /** The first place whose record does not come before `record`. */
  #locate(record: R): { chunk: number; slot: number } {
    const last = this.#chunks.length - 1
    if (last < 0) return { chunk: 0, slot: 0 }
    const chunk = firstIndex(last, (index) => this.compare(this.#chunks[index]?.at(-1) as R, record) >= 0)
    const records = this.#chunks[chunk] as R[]
    return { chunk, slot: firstIndex(records.length, (slot) => this.compare(records[slot] as R, record) >= 0) }
  }
}

/** Returns the first index below `end` for which `holds`, which is false and then true; `end` when there is none. */
function firstIndex(end: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
