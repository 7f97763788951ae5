import { hash } from 'node:crypto'

/** Draws that follow from a text: the same text, the same draws in the same order. */
export class Chance {
  #block: Buffer = Buffer.alloc(0)
  #blocks = 0

  constructor(readonly text: string) {}

  /** Returns the text that a block of draws follows from. */
  protected seedOf(block: number): string {
    return `${this.text}:${block}`
  }

  /** A number in [0, 1). */
  fraction(): number {
    if (this.#block.length === 0) {
      this.#block = hash('sha256', this.seedOf(this.#blocks++), 'buffer')
    }
    const drawn = this.#block.readUInt32BE()
    this.#block = this.#block.subarray(4)
    return drawn / 2 ** 32
  }

  /** A whole number, both ends included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1))
  }

  happens(share: number): boolean {
    return this.fraction() < share
  }

  of<T>(list: readonly T[]): T {
    return list[this.integer(0, list.length - 1)] as T
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, rank: this.fraction() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item)
  }

  characters(alphabet: string, size: number): string {
    return Array.from({ length: size }, () => alphabet[this.integer(0, alphabet.length - 1)]).join('')
  }
}
