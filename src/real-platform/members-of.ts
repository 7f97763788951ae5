import type { Seen } from './difference.js'
import { shapeOf, toldName } from './shape.js'

/** The fields that an object lacks, and those that it has beside the documented ones. */
export function* membersOf(
  value: Record<string, unknown>,
  documented: Record<string, string>,
  base: Pick<Seen, 'section' | 'where'>,
): Generator<Seen> {
  for (const [field, what] of Object.entries(documented)) {
    if (!Object.hasOwn(value, field)) yield { ...base, field, documented: what, found: 'nothing' }
  }
  for (const [field, found] of Object.entries(value)) {
    if (Object.hasOwn(documented, field)) continue
    yield { ...base, field: toldName(field), documented: 'no such field', found: shapeOf(found) }
  }
}
