import { isObject } from '../../foundation/schema/is-object.js'

/** A difference between the platform and the emulator's documents. */
export interface Difference {
  /** The check of the table that found it. */
  check: string
  /** The decision that it contradicts: `wire: §2 "list payload"`. */
  section: string
  /** The operation that it was first seen at: `GET /v0/courses`. */
  where: string
  /** Field of a resource or document; empty when the difference is about the whole response. */
  field: string
  /** The documented form and the one found instead; never a value of a person or an organization. */
  documented: string
  found: string
  count: number
  /** The setting that adapts the emulator to it. wire: §8 */
  setting?: { name: string; value: string | number | Record<string, string> }
}

/** A difference as a check finds it; `section` and `where` are those of the check and the exchange when left out. */
export type Found = Pick<Difference, 'field' | 'documented' | 'found' | 'setting'> &
  Partial<Pick<Difference, 'section' | 'where'>>

/** Result of a check; `not seen` where the organization has no data for it. */
export interface CheckResult {
  name: string
  section: string
  result: 'same' | 'differs' | 'not seen'
  differences: Difference[]
}

export type PlatformCheck<E> = (evidence: E) => CheckResult

/** A check of each of `subjects`, of which there may be none. The same difference in many places is one. */
export const check =
  <E, T extends { where: string }>(
    name: string,
    section: string,
    subjects: (evidence: E) => T[],
    differencesOf: (subject: T, evidence: E) => Iterable<Found>,
  ): PlatformCheck<E> =>
  (evidence) => {
    const all = subjects(evidence)
    const differences = new Map<string, Difference>()
    for (const subject of all) {
      for (const found of differencesOf(subject, evidence)) {
        const one = { check: name, section, where: subject.where, ...found, count: 1 }
        // Two shapes that differ only in a length are alike.
        const kind = found.setting?.name ?? found.found.replaceAll(/\d+/g, '0')
        const key = JSON.stringify([one.section, one.field, one.documented, kind])
        const known = differences.get(key)
        if (known) known.count++
        else differences.set(key, one)
      }
    }
    const result = differences.size > 0 ? 'differs' : 'same'
    return { name, section, result: all.length === 0 ? 'not seen' : result, differences: [...differences.values()] }
  }

const NAMES = 6

/** Describes the shape of a value without the value, so that no data of a person is in it. */
export function shapeOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value === 'string') return `a string of ${value.length} characters${formatOf(value)}`
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number'
  if (typeof value === 'boolean') return 'a boolean'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`
  if (!isObject(value)) return typeof value
  const names = Object.keys(value).filter(isFieldName)
  return names.length === 0 ? 'an object' : `an object with ${names.slice(0, NAMES).join(', ')}`
}

function formatOf(text: string): string {
  if (/^https?:\/\//.test(text)) return ' (a URL)'
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return ' (a date-time)'
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return ' (a date)'
  return /^\d+$/.test(text) ? ' (digits)' : ''
}

/** Names of fields may be shown; a key that is no plain name may be data. */
export const isFieldName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(name)

export const shownName = (name: string): string => (isFieldName(name) ? name : '(a key)')

/** Yields the fields that an object lacks, or else those that it has beside the documented ones. */
export function* memberDifferences(
  value: Record<string, unknown>,
  documented: Record<string, string>,
): Generator<Found> {
  const missing = Object.keys(documented).filter((field) => !Object.hasOwn(value, field))
  const more = Object.keys(value).filter((field) => !Object.hasOwn(documented, field))
  if (missing.length === Object.keys(documented).length) {
    return yield { field: '', documented: `an object with ${missing.join(', ')}`, found: shapeOf(value) }
  }
  // A missing field may have another name: one difference, not two.
  const instead = more.length > 0 ? `nothing, but ${more.map(shownName).join(', ')}` : 'nothing'
  for (const field of missing) yield { field, documented: documented[field] as string, found: instead }
  if (missing.length > 0) return
  for (const field of more) {
    yield { field: shownName(field), documented: 'no such field', found: shapeOf(value[field]) }
  }
}
