import type { SeenDifference } from './difference.js'
import { shapeOf, toldName } from './shape.js'

/** The fields that an object lacks, or else those that it has beside the documented ones. */
export function* membersOf(
  value: Record<string, unknown>,
  documented: Record<string, string>,
  base: Pick<SeenDifference, 'section' | 'where'>,
): Generator<SeenDifference> {
  const missing = Object.keys(documented).filter((field) => !Object.hasOwn(value, field))
  const more = Object.keys(value).filter((field) => !Object.hasOwn(documented, field))
  if (missing.length === Object.keys(documented).length) {
    yield { ...base, field: '', documented: `an object with ${missing.join(', ')}`, found: shapeOf(value) }
    return
  }
  // What is missing may go by another name: one difference, not two.
  const instead = more.length > 0 ? `nothing, but ${more.map(toldName).join(', ')}` : 'nothing'
  for (const field of missing) yield { ...base, field, documented: documented[field] as string, found: instead }
  if (missing.length > 0) return
  for (const field of more) {
    yield { ...base, field: toldName(field), documented: 'no such field', found: shapeOf(value[field]) }
  }
}
