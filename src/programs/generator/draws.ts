import { createHash } from 'node:crypto'

export type Draws = ReturnType<typeof drawsFrom>

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Chance that depends on its seed alone: the same seed draws the same in every run and on every machine. */
export function drawsFrom(seed: string) {
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
    /** A whole number from `min` to `max`, both included. */
    integer: (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1)),
    chance: (probability: number) => fraction() < probability,
    token: (length: number) => Array.from({ length }, () => pick(ALPHABET)).join(''),
  }
}
