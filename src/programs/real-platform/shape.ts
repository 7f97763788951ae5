import { isObject } from '../../foundation/schema/is-object.js'

const NAMES = 6

/** What a value is like, without the value: nobody's data is in it. */
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

/** Names of fields may be told; a key that is no plain name may be data. */
export const isFieldName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(name)

/** A field's name, or what stands for it. */
export const toldName = (name: string): string => (isFieldName(name) ? name : '(a key)')

function formatOf(text: string): string {
  if (/^https?:\/\//.test(text)) return ' (a URL)'
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return ' (a date-time)'
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return ' (a date)'
  return /^\d+$/.test(text) ? ' (digits)' : ''
}
