import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isObject } from '../../foundation/schema/is-object.js'
import { shapeOf, toldName } from './shape.js'

type Schema = Record<string, unknown>

/** One place where a value is not as its schema says. */
export interface SchemaDifference {
  /** Without the places in arrays: `properties.questions.text`. */
  field: string
  documented: string
  found: string
}

export interface SchemaReader {
  /**
   * How `value` differs from a component of the document.
   * @param onTime told of each value that is documented as a timestamp: their format is a decision of its own.
   */
  differences(component: string, value: unknown, onTime: (field: string, value: unknown) => void): SchemaDifference[]
  /** The component of the option whose `type` is that one; undefined when no option has it. */
  optionOf(component: string, type: unknown): string | undefined
}

/** @param document an OpenAPI document of this package, whose schemas are told apart by `type` where there are several. */
export function createSchemaReader(document: Schema): SchemaReader {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const components = (document.components as Record<string, Record<string, Schema>>).schemas as Record<string, Schema>
  const compiled = new WeakMap<Schema, ReturnType<typeof ajv.compile>>()
  const isValid = (schema: Schema, value: unknown): boolean => {
    const validate = compiled.get(schema) ?? ajv.compile(schema)
    compiled.set(schema, validate)
    return validate(value) === true
  }
  const resolve = (schema: Schema): Schema =>
    typeof schema.$ref === 'string' ? resolve(components[nameIn(schema.$ref)] as Schema) : schema

  function* walk(given: Schema, value: unknown, field: string[], onTime: OnTime): Generator<SchemaDifference> {
    const schema = resolve(given)
    const options = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined
    if (options) {
      const option = chosen(options.map(resolve), value)
      if (option) yield* walk(option, value, field, onTime)
      else if (isObject(value) && namedTypes(options.map(resolve)).length > 0) {
        yield differenceOf([...field, 'type'], namesOf(options.map(resolve)), value.type)
      } else yield differenceOf(field, namesOf(options.map(resolve)), value)
      return
    }
    if (schema.format === 'date-time' && ['string', 'number'].includes(typeof value)) onTime(field.join('.'), value)
    else if (isObject(schema.properties) && isObject(value)) yield* walkObject(schema, value, field, onTime)
    else if (isObject(schema.items) && Array.isArray(value)) {
      for (const item of value) yield* walk(schema.items, item, field, onTime)
      const { items: _, ...rest } = schema
      if (!isValid(leafOf(schema, rest), value)) yield differenceOf(field, documentedOf(rest), value)
    } else if (!isValid(schema, value)) yield differenceOf(field, documentedOf(schema), value)
  }

  function* walkObject(schema: Schema, value: Record<string, unknown>, field: string[], onTime: OnTime) {
    const properties = schema.properties as Record<string, Schema>
    for (const name of (schema.required ?? []) as string[]) {
      if (Object.hasOwn(value, name)) continue
      yield {
        field: [...field, name].join('.'),
        documented: documentedOf(resolve(properties[name] ?? {})),
        found: 'nothing',
      }
    }
    for (const [name, inner] of Object.entries(value)) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (known) yield* walk(known, inner, [...field, name], onTime)
      else if (schema.additionalProperties === false) {
        yield { field: [...field, toldName(name)].join('.'), documented: 'no such field', found: shapeOf(inner) }
      }
    }
  }

  /** Rules of an array itself, apart from its items; one object for each schema, so that it is compiled once. */
  const leaves = new WeakMap<Schema, Schema>()
  const leafOf = (schema: Schema, rest: Schema) => {
    const leaf = leaves.get(schema) ?? rest
    leaves.set(schema, leaf)
    return leaf
  }

  return {
    differences: (component, value, onTime) => [...walk(components[component] as Schema, value, [], onTime)],
    optionOf(component, type) {
      const mapping = (components[component]?.discriminator as { mapping?: Record<string, string> } | undefined)
        ?.mapping
      const option = typeof type === 'string' && mapping && Object.hasOwn(mapping, type) ? mapping[type] : undefined
      return option && nameIn(option)
    },
  }
}

type OnTime = (field: string, value: unknown) => void

const nameIn = (reference: string) => reference.split('/').at(-1) as string

/** The option that the value is meant to be: of its own JSON type, and of its own `type` where they have one. */
function chosen(options: Schema[], value: unknown): Schema | undefined {
  const alike = options.filter(({ type, properties, items, oneOf, anyOf, const: only }) => {
    if (oneOf || anyOf) return value !== null
    if (only !== undefined) return only === value
    if (properties) return isObject(value)
    if (items) return Array.isArray(value)
    return [type].flat().includes(jsonTypeOf(value)) || (type === 'number' && jsonTypeOf(value) === 'integer')
  })
  const typed = alike.filter((option) => typeOf(option) !== undefined)
  if (typed.length === 0 || !isObject(value)) return alike[0]
  return typed.find((option) => typeOf(option) === value.type)
}

const namedTypes = (options: Schema[]) => options.map(typeOf).filter((type) => type !== undefined)

const typeOf = ({ properties }: Schema) =>
  isObject(properties) && isObject(properties.type) ? properties.type.const : undefined

const jsonTypeOf = (value: unknown) => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

const differenceOf = (field: string[], documented: string, value: unknown): SchemaDifference => ({
  field: field.join('.'),
  documented,
  found: shapeOf(value),
})

const namesOf = (options: Schema[]): string => {
  const types = namedTypes(options)
  return types.length > 0 ? `one of ${types.join(', ')}` : options.map(documentedOf).join(', or ')
}

const LIMITS: Record<string, (limit: unknown) => string> = {
  maxLength: (limit) => `at most ${limit} characters`,
  minLength: (limit) => `at least ${limit} characters`,
  minimum: (limit) => `at least ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  minItems: (limit) => `at least ${limit} items`,
  maxItems: (limit) => `at most ${limit} items`,
  maxProperties: (limit) => `at most ${limit} keys`,
  format: (format) => `as ${format}`,
  pattern: () => 'of a defined form',
}

/** A schema in a few words. */
function documentedOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`
  const options = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined
  if (options) return namesOf(options)
  // zod gives whole numbers the range that a double can count.
  const told = Object.entries(LIMITS).filter(
    ([name]) => schema[name] !== undefined && Math.abs(Number(schema[name])) !== Number.MAX_SAFE_INTEGER,
  )
  const limits = told.map(([name, say]) => say(schema[name]))
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  return [type, ...limits].join(', ')
}
