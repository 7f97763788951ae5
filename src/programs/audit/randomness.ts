/** Alphabets that tokens are written in, the smallest first. */
const alphabets: [size: number, pattern: RegExp][] = [
  [10, /^[0-9]*$/],
  [16, /^[0-9a-f]*$/i],
  [36, /^[0-9a-z]*$/i],
  [64, /^[\w+/=.~-]*$/],
]

/**
 * At most how many random bits texts have, judged by the length and the alphabet of what differs between them: what all
 * begin or end with counts for nothing. A generous estimate, so that what falls below a limit certainly does.
 */
export function randomnessOf(texts: string[]): number {
  const shortest = Math.min(...texts.map((text) => text.length))
  const [first = ''] = texts
  let start = 0
  while (start < shortest && texts.every((text) => text[start] === first[start])) start++
  let end = 0
  while (end < shortest - start && texts.every((text) => text.at(-1 - end) === first.at(-1 - end))) end++
  const parts = texts.map((text) => text.slice(start, text.length - end))
  const size = alphabets.find(([, pattern]) => parts.every((part) => pattern.test(part)))?.[0] ?? 95
  return Math.min(...parts.map(({ length }) => length)) * Math.log2(size)
}
