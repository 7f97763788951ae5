/** Alphabets of tokens, the smallest first. */
const alphabets: [size: number, pattern: RegExp][] = [
  [10, /^[0-9]*$/],
  [16, /^[0-9a-f]*$/i],
  [36, /^[0-9a-z]*$/i],
  [64, /^[\w+/=.~-]*$/],
]

/**
 * Returns an upper bound of the random bits in each text: the number of positions that differ, times the bits of their
 * alphabet. In counters and clocks, few positions differ.
 */
export function randomBitsOf(texts: string[]): number {
  const shortest = Math.min(...texts.map(({ length }) => length))
  const columns = Array.from({ length: shortest }, (_, place) => texts.map((text) => text[place] ?? ''))
  const different = columns.filter((column) => new Set(column).size > 1)
  const size = alphabets.find(([, pattern]) => different.every((column) => pattern.test(column.join(''))))?.[0] ?? 95
  return different.length * Math.log2(size)
}
