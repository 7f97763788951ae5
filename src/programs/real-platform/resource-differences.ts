import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { type Found, shapeOf, shownName } from './difference.js'
import type { ResourceExchange } from './evidence.js'

type Schema = Record<string, unknown>

/** The decision about timestamps: their format is reported by itself, whatever resource they are in. */
export const TIMESTAMPS = 'wire: §1 "timestamps"'

/** Returns a function that tells how resources differ from their component of the emulator's OpenAPI document. */
export function createResourceReader(document: Schema) {
  const ajv = new Ajv2020({
    ...{ strict: false, allErrors: true, verbose: true, validateSchema: false, discriminator: true },
    // Few resources are compared, so what counts is the time to compile the schemas.
    ...{ inlineRefs: false, code: { optimize: false } },
  })
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const api = JSON.parse(JSON.stringify(document), (_, value) => plain(value))
  ajv.addSchema(api, 'api')
  const { schemas } = api.components
  const types: Record<string, string> = schemas.Element.discriminator.mapping

  function differencesOf(component: string, value: unknown): Found[] {
    const validate = ajv.getSchema(`api#/components/schemas/${component}`)
    if (!validate || validate(value)) return []
    // A value may break several rules of one schema, which is one difference.
    const differences = new Map<string, Found>()
    for (const error of validate.errors ?? []) {
      const difference = differenceIn(error, schemas)
      const key = `${error.instancePath} ${difference?.field}`
      if (difference && !differences.has(key)) differences.set(key, difference)
    }
    return [...differences.values()]
  }

  function elementDifferences(item: Record<string, unknown>): Found[] {
    const { type, name, metadata } = item
    if (typeof type !== 'string' || !Object.hasOwn(types, type)) {
      const documented = `one of ${Object.keys(types).join(', ')}`
      return [{ section: 'spec: §2.2', field: 'Element.type', documented, found: shapeOf(type) }]
    }
    // Limits of requests hold for responses too, although their schemas have none. spec: §8
    const isLimited = typeof name === 'string' && isObject(metadata)
    const limits = isLimited ? differencesOf('ElementUpdate', { name, metadata }) : []
    return [
      ...differencesOf(nameIn(types[type]), item).map((one) => placed('Element', one)),
      ...limits.map((one) => ({ ...one, section: 'spec: §8', field: `Element.${one.field}` })),
    ]
  }

  function itemDifferences(component: string, item: Record<string, unknown>): Found[] {
    if (component === 'Element') return elementDifferences(item)
    const group = Object.hasOwn(item, 'members') ? 'GroupActivity' : 'IndividualActivity'
    return differencesOf(component === 'Activity' ? group : component, item).map((one) => placed(component, one))
  }

  return ({ component, items }: ResourceExchange) => items.flatMap((item) => itemDifferences(component, item))
}

const nameIn = (reference: unknown) => String(reference).split('/').at(-1) as string

/**
 * A schema in a form that has clear errors: null is a type, `type` selects the variant, and a member that the document
 * does not have is an error, though a response may have more.
 */
function plain(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  if (schema.format === 'date-time') return { type: schema.type, format: 'date-time' }
  if (schema.type === 'object' && isObject(schema.properties) && schema.additionalProperties === undefined) {
    return { ...schema, additionalProperties: false }
  }
  const options = schema.oneOf ?? schema.anyOf
  if (!Array.isArray(options) || !options.every(isObject)) return schema
  const [one, other] = options
  if (options.length === 2 && one?.type && other?.type === 'null') {
    return { ...one, type: [one.type, 'null'], ...(Array.isArray(one.enum) && { enum: [...one.enum, null] }) }
  }
  if (!options.every((option) => constOf(option) !== undefined)) return schema
  return { type: 'object', required: ['type'], oneOf: options, discriminator: { propertyName: 'type' } }
}

const constOf = ({ properties }: Schema) =>
  isObject(properties) && isObject(properties.type) ? properties.type.const : undefined

/** Returns undefined for an error beside which another one says what is wrong. */
function differenceIn(
  { keyword, instancePath, schemaPath, params, parentSchema = {}, data, propertyName }: ErrorObject,
  schemas: Record<string, Schema>,
): Found | undefined {
  const path = instancePath.split('/').slice(1)
  const at = (...more: string[]) => [...path, ...more].filter((key) => !/^\d+$/.test(key)).join('.')
  switch (keyword) {
    case 'required': {
      const missing: Schema = parentSchema.properties?.[params.missingProperty] ?? {}
      const documented = describeSchema(missing.$ref === undefined ? missing : (schemas[nameIn(missing.$ref)] ?? {}))
      return { found: 'nothing', field: at(params.missingProperty), documented }
    }
    case 'additionalProperties': {
      const more: string = params.additionalProperty
      return { found: shapeOf((data as Schema)[more]), field: at(shownName(more)), documented: 'no such field' }
    }
    case 'discriminator': {
      const documented = `one of ${(parentSchema.oneOf as Schema[]).map(constOf).join(', ')}`
      return { found: shapeOf((data as Schema).type), field: at('type'), documented }
    }
    case 'propertyNames':
      return undefined
  }
  const found = shapeOf(data)
  const documented = describeSchema(parentSchema)
  if (propertyName !== undefined) return { found, field: at(), documented: `keys: ${documented}` }
  if (schemaPath.includes('/additionalProperties/')) {
    path.pop()
    return { found, field: at(), documented: `${documented} for each key` }
  }
  if (parentSchema.format !== 'date-time' || !['string', 'number'].includes(typeof data)) {
    return { found, field: at(), documented }
  }
  const field = path.at(-1) as string
  return { section: TIMESTAMPS, found, field, documented: 'ISO 8601 in UTC with milliseconds' }
}

const SPECIFIED = ['id', 'module', 'name', 'content', 'position', 'metadata']

/** Adds the decision about the field. A member has the same fields wherever it is shown. spec: §2.1, §2.3; wire: §4 */
function placed(component: string, difference: Found): Found {
  if (difference.section === TIMESTAMPS) return difference
  const [, ofMember] = /^members?\.(.+)$/.exec(difference.field) ?? []
  const shown = ofMember === undefined ? component : 'Member'
  const field = ofMember ?? difference.field
  return { ...difference, section: sectionOf(shown, field), field: `${shown}.${field}` }
}

function sectionOf(component: string, field: string): string {
  const [first = ''] = field.split('.')
  if (first === 'properties') return 'spec: §2.3'
  if (component === 'Element' && SPECIFIED.includes(first)) return 'spec: §2.1'
  return `wire: §4 "${component === 'CourseMember' ? 'course_member' : component.toLowerCase()}"`
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

function describeSchema(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`
  // zod gives whole numbers the range that a double can count.
  const limits = Object.entries(LIMITS)
    .filter(([name]) => schema[name] !== undefined && Math.abs(Number(schema[name])) !== Number.MAX_SAFE_INTEGER)
    .map(([name, say]) => say(schema[name]))
  return [[schema.type ?? 'anything'].flat().join(' or '), ...limits].join(', ')
}
