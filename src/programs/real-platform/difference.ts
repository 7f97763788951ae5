/** Where the platform answers otherwise than the emulator's documents say. */
export interface Difference {
  /** The check of the table that found it. */
  check: string
  /** The decision that it contradicts: `wire: §2 "list payload"`. */
  section: string
  /** Where it was seen first: `GET /v0/courses`. */
  where: string
  /** Of a resource or document; empty when it is about the whole response. */
  field: string
  /** What is documented, and what was found instead; never a value of a person or an organization. */
  documented: string
  found: string
  /** How often it was seen. */
  count: number
  /** What adapts the emulator to it. wire: §8 */
  setting?: { name: string; value: string | number | Record<string, string> }
}

export type SeenDifference = Omit<Difference, 'check' | 'count'>

/** The same difference in many places is one. */
export function countedDifferences(check: string, seen: Iterable<SeenDifference>): Difference[] {
  const all = new Map<string, Difference>()
  for (const one of seen) {
    const key = JSON.stringify([one.section, one.field, one.documented, one.setting?.name ?? kindOf(one.found)])
    const known = all.get(key)
    if (known) known.count++
    else all.set(key, { check, ...one, count: 1 })
  }
  return [...all.values()]
}

/** Two shapes that differ only in a length are alike. */
const kindOf = (shape: string) => shape.replaceAll(/\d+/g, '0')
