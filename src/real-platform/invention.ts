import { createHash } from 'node:crypto'

/** Draws that depend on nothing but `seed`: whoever is invented from an id is the same in every file and run. */
export function drawsFrom(seed: string): { pick<T>(list: readonly T[]): T; token(length: number): string } {
  let bytes = Buffer.alloc(0)
  let round = 0
  const byte = () => {
    if (bytes.length === 0) bytes = createHash('sha256').update(`${round++} ${seed}`).digest()
    const first = bytes[0] as number
    bytes = bytes.subarray(1)
    return first
  }
  return {
    pick: (list) => list[(byte() * 256 + byte()) % list.length] as (typeof list)[number],
    token: (length) => Array.from({ length }, () => ALPHABET[byte() % ALPHABET.length]).join(''),
  }
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** An id that a fixture document takes; one that it does not take becomes another, the same one each time. */
export const fitId = (id: string): string => (/^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : drawsFrom(`id ${id}`).token(16))
