import * as z from 'zod'
import { durationInput } from '../../../src/foundation/schema/schema-words.js'
import { code, codes } from './markdown.js'

/** As much of JSON Schema as the documents of the control API use. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
}

/** Shapes that have a page of their own. */
const pages: Record<string, string> = {
  FixtureDocument: '[fixture document](fixtures.md)',
  State: '[fixture document](fixtures.md)',
  Manifest: '[manifest](manifest.md)',
  NewFault: '[fault](faults.md)',
}

const DURATION = JSON.stringify(z.toJSONSchema(durationInput).anyOf)
const isNull = ({ type }: Schema) => type === 'null'
const nameOf = ({ $ref = '' }: Schema) => $ref.split('/').at(-1) as string

/** The names of the shapes that a schema refers to, and that stand on the page itself. */
export const shapesIn = (schema: unknown): string[] =>
  [...JSON.stringify(schema ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)]
    .map(([, name]) => name as string)
    .filter((name) => !pages[name])

/** Returns the type of a value in a few words. */
export function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, items, properties, format } = schema
  if ($ref) return pages[nameOf(schema)] ?? `[${nameOf(schema)}](#shape-${nameOf(schema).toLowerCase()})`
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return codes(schema.enum.map(String))
  if (anyOf) {
    if (JSON.stringify(anyOf) === DURATION) return 'duration'
    return anyOf.map((option) => (isNull(option) ? 'null' : typeOf(option))).join(' or ')
  }
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each })).join(' or ')
  if (type === 'array')
    return items && (items.properties || Object.keys(items).length === 0) ? 'array' : `array of ${typeOf(items ?? {})}`
  if (properties) return 'object'
  if (type === 'string' && format === 'date-time') return 'date-time'
  if (type === 'integer' || type === 'number') return `${type}${rangeOf(schema)}`
  return type ?? 'any'
}

/** The bounds that say something: zod gives every integer those of a double. */
function rangeOf({ minimum, maximum }: Schema): string {
  const isReal = (bound: number | undefined): bound is number =>
    bound !== undefined && Number.isFinite(bound) && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (isReal(minimum) && isReal(maximum)) return `, ${minimum} to ${maximum}`
  if (isReal(minimum)) return `, ${minimum} or more`
  return isReal(maximum) ? `, at most ${maximum}` : ''
}

/** Rows of a table of fields: name, type, description. Fields of nested objects have dotted names. */
export function fieldRows(schema: Schema, { asks = false, prefix = '' } = {}): string[][] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, field]) => {
    const notes = [
      asks && required.includes(name) && field.default === undefined && 'required',
      field.default !== undefined &&
        JSON.stringify(field.default) !== '{}' &&
        `default ${code(JSON.stringify(field.default))}`,
      field.description,
    ].filter((note) => typeof note === 'string')
    const row = [code(prefix + name), typeOf(field), notes.join('. ')]
    if (field.properties) return [row, ...fieldRows(field, { asks, prefix: `${prefix}${name}.` })]
    if (field.items?.properties) return [row, ...fieldRows(field.items, { asks, prefix: `${prefix}${name}[].` })]
    return [row]
  })
}
