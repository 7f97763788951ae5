/** Characters of an answer, as JSON. agents: "Coding agents" */
const MAX_ANSWER = 8_000

/** The most that an answer keeps, from generous to strict: characters of a text, and items of a list. */
const measures = [
  { text: 4_000, items: 100 },
  { text: 2_000, items: 40 },
  { text: 1_000, items: 20 },
  { text: 500, items: 10 },
  { text: 200, items: 6 },
  { text: 100, items: 3 },
  { text: 60, items: 1 },
]

const MAX_NAMED = 10

const sizeOf = (value: unknown): number => JSON.stringify(value).length

/**
 * Returns an answer of at most `MAX_ANSWER` characters: long texts and bodies are truncated, and of long lists the
 * last items are kept, which are the newest. What was removed is in `left_out`.
 */
export function bounded(answer: object): object {
  if (sizeOf(answer) <= MAX_ANSWER) return answer
  for (const measure of measures) {
    const leftOut: string[] = []
    const shortened = { ...(shorten(answer, '', measure, leftOut) as object), left_out: named(leftOut) }
    if (sizeOf(shortened) <= MAX_ANSWER) return shortened
  }
  const text = JSON.stringify(answer)
  const beginning = text.slice(0, MAX_ANSWER / 4)
  return { beginning, left_out: [`${text.length - beginning.length} of ${text.length} characters; ask for less`] }
}

export const truncated = (text: string): string =>
  text.length > MAX_ANSWER ? `${text.slice(0, MAX_ANSWER - 1)}…` : text

function named(leftOut: string[]): string[] {
  const more = leftOut.length - MAX_NAMED
  return more > 0 ? [...leftOut.slice(0, MAX_NAMED), `and in ${more} more places`] : leftOut
}

function shorten(value: unknown, path: string, most: { text: number; items: number }, leftOut: string[]): unknown {
  // As text, so that a large body does not push the exchange that it belongs to out of its list.
  const isLarge = path.endsWith('.body') && typeof value === 'object' && sizeOf(value) > most.text
  if (isLarge) return shorten(JSON.stringify(value), path, most, leftOut)
  if (typeof value === 'string') {
    const rest = value.length - most.text
    if (rest <= 0) return value
    leftOut.push(`${path}: the last ${rest} of ${value.length} characters`)
    return `${value.slice(0, most.text)}…`
  }
  if (Array.isArray(value)) {
    const rest = Math.max(0, value.length - most.items)
    if (rest > 0) leftOut.push(`${path}: the first ${rest} of ${value.length} items`)
    return value.slice(rest).map((item, index) => shorten(item, `${path}[${rest + index}]`, most, leftOut))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shorten(inner, `${path && `${path}.`}${name}`, most, leftOut)]),
  )
}
