import { createHash } from 'node:crypto'

/** Chance that depends on nothing but its seed, so that the same seed draws the same in every run and on every machine. */
export interface Draws {
  pick<T>(list: readonly T[]): T
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number
  /** True with that probability. */
  chance(probability: number): boolean
  /** So many lower-case letters and digits. */
  token(length: number): string
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

export function drawsFrom(seed: string): Draws {
  let block = Buffer.alloc(0)
  let used = 0
  let blocks = 0
  const fraction = () => {
    if (used === block.length) {
      block = createHash('sha256').update(`${blocks++} ${seed}`).digest()
      used = 0
    }
    used += 4
    return block.readUInt32BE(used - 4) / 2 ** 32
  }
  const pick = <T>(list: ArrayLike<T>) => list[Math.floor(fraction() * list.length)] as T
  return {
    pick,
    integer: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    chance: (probability) => fraction() < probability,
    token: (length) => Array.from({ length }, () => pick(ALPHABET)).join(''),
  }
}
