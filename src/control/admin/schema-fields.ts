import type { JsonSchema } from './input-schema.js'

/** A field of a query or body, for flags of the command line and forms of the console. */
export interface CallField {
  /** Its path: `match.surface`. */
  name: string
  /** `json` is any value that is written as JSON. */
  kind: 'text' | 'number' | 'duration' | 'boolean' | 'json'
  required: boolean
  description: string
  /** The values of an enumeration. */
  choices: string[]
  minimum?: number
  maximum?: number
  default?: unknown
}

/** Returns the fields of an object. An object of plain values within it has a field for each of these. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix = '', isRequired = true): CallField[] {
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, field]) => {
    const isNeeded = isRequired && required.includes(name)
    const inner = Object.values((field.properties ?? {}) as Record<string, JsonSchema>)
    return inner.length > 0 && inner.every((each) => kindOf(each) !== 'json')
      ? fieldsOf(field, `${prefix}${name}.`, isNeeded)
      : [fieldOf(prefix + name, field, isNeeded)]
  })
}

function fieldOf(name: string, field: JsonSchema, required: boolean): CallField {
  const { description = '', minimum, default: value, enum: values = [] } = field
  // The largest number is what zod writes where a schema has no limit.
  const maximum = field.maximum === Number.MAX_SAFE_INTEGER ? undefined : field.maximum
  const choices = field.const === undefined ? values.map(String) : [String(field.const)]
  return { name, kind: kindOf(field), required, description, choices, minimum, maximum, default: value }
}

function kindOf({ type, anyOf = [] }: JsonSchema): CallField['kind'] {
  const types = [type].flat()
  const options = (anyOf as JsonSchema[]).map((option) => option.type)
  if (options.includes('number') && options.includes('string')) return 'duration'
  if (types.includes('string')) return 'text'
  if (types.includes('number') || types.includes('integer')) return 'number'
  return types.includes('boolean') ? 'boolean' : 'json'
}
