import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { type Found, shapeOf, shownName } from './difference.js'

type Schema = Record<string, unknown>

/**
 * Returns how a resource differs from its component of the OpenAPI document. `isTime`: a timestamp of another format, which is a
 * decision of its own.
 */
export type ResourceReader = (component: string, item: Record<string, unknown>) => (Found & { isTime: boolean })[]

/** @param document the emulator's OpenAPI document. */
export function createResourceReader(document: Schema): ResourceReader {
  const ajv = new Ajv2020({
    ...{ strict: false, allErrors: true, verbose: true, validateSchema: false, discriminator: true },
    // Few resources are compared, so what counts is the time to compile the schemas.
    ...{ inlineRefs: false, code: { optimize: false } },
  })
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const api = JSON.parse(JSON.stringify(document), (_, value) => plain(value))
  ajv.addSchema(api, 'api')
  const components: Record<string, Schema> = api.components.schemas
  const types = Object.entries<string>(api.components.schemas.Element.discriminator.mapping)
  const documentedOf = (schema: Schema): string =>
    typeof schema.$ref === 'string' ? documentedOf(components[nameIn(schema.$ref)] ?? {}) : inWords(schema)

  function* differencesOf(component: string, value: unknown): Generator<Found & { isTime: boolean }> {
    const validate = ajv.getSchema(`api#/components/schemas/${component}`)
    if (!validate || validate(value)) return
    const seen = new Set<string>()
    for (const error of validate.errors ?? []) {
      const difference = differenceIn(error, documentedOf)
      // A value may break several rules of one schema, which is one difference.
      const key = `${error.instancePath} ${difference?.field}`
      if (!difference || seen.has(key)) continue
      seen.add(key)
      yield difference
    }
  }

  return (component, item) => {
    if (component === 'Element') {
      const [, option] = types.find(([type]) => type === item.type) ?? []
      if (option === undefined) {
        const documented = `one of ${types.map(([type]) => type).join(', ')}`
        const found = shapeOf(item.type)
        return [{ section: 'spec: §2.2', field: 'Element.type', documented, found, isTime: false }]
      }
      const { name, metadata } = item
      // Limits of requests hold for responses too, although their schemas have none. spec: §8
      const isLimited = typeof name === 'string' && isObject(metadata)
      const limits = isLimited ? [...differencesOf('ElementUpdate', { name, metadata })] : []
      return [
        ...[...differencesOf(nameIn(option), item)].map((one) => placed(component, one)),
        ...limits.map((one) => ({ ...one, section: 'spec: §8', field: `Element.${one.field}` })),
      ]
    }
    const group = Object.hasOwn(item, 'members') ? 'GroupActivity' : 'IndividualActivity'
    return [...differencesOf(component === 'Activity' ? group : component, item)].map((one) => placed(component, one))
  }
}

const nameIn = (reference: string) => reference.split('/').at(-1) as string

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

function differenceIn(
  { keyword, instancePath, schemaPath, params, parentSchema = {}, data, propertyName }: ErrorObject,
  documentedOf: (schema: Schema) => string,
): (Found & { isTime: boolean }) | undefined {
  const path = instancePath.split('/').slice(1)
  const field = (...more: string[]) => [...path, ...more].filter((key) => !/^\d+$/.test(key)).join('.')
  const properties = (parentSchema.properties ?? {}) as Record<string, Schema>
  const base = { isTime: false, found: shapeOf(data) }
  if (keyword === 'required') {
    const missing = params.missingProperty as string
    return { ...base, field: field(missing), documented: documentedOf(properties[missing] ?? {}), found: 'nothing' }
  }
  if (keyword === 'additionalProperties') {
    const more = params.additionalProperty as string
    const found = shapeOf((data as Schema)[more])
    return { ...base, field: field(shownName(more)), documented: 'no such field', found }
  }
  if (keyword === 'discriminator') {
    const documented = `one of ${(parentSchema.oneOf as Schema[]).map(constOf).join(', ')}`
    return { ...base, field: field('type'), documented, found: shapeOf((data as Schema).type) }
  }
  // Another error says what is wrong with which key.
  if (keyword === 'propertyNames') return undefined
  const documented = documentedOf(parentSchema)
  if (propertyName !== undefined) return { ...base, field: field(), documented: `keys: ${documented}` }
  if (schemaPath.includes('/additionalProperties/')) {
    path.pop()
    return { ...base, field: field(), documented: `${documented} for each key` }
  }
  const isTime = parentSchema.format === 'date-time' && ['string', 'number'].includes(typeof data)
  if (isTime) {
    return { ...base, field: path.at(-1) as string, documented: 'ISO 8601 in UTC with milliseconds', isTime }
  }
  return { ...base, field: field(), documented }
}

const SPECIFIED = ['id', 'module', 'name', 'content', 'position', 'metadata']
const SHOWN_AS: Record<string, string> = { CourseMember: 'course_member' }

/** With the decision about the field; a member is one wherever it is shown. spec: §2.1, §2.3; wire: §4 */
function placed<F extends Found & { isTime: boolean }>(component: string, difference: F): F {
  if (difference.isTime) return difference
  const [, ofMember] = /^members?\.(.+)$/.exec(difference.field) ?? []
  const shown = ofMember === undefined ? component : 'Member'
  const field = ofMember ?? difference.field
  const isSpecified = shown === 'Element' && SPECIFIED.includes(field.split('.')[0] as string)
  const section = /^properties\b/.test(field)
    ? 'spec: §2.3'
    : isSpecified
      ? 'spec: §2.1'
      : `wire: §4 "${SHOWN_AS[shown] ?? shown.toLowerCase()}"`
  return { ...difference, section, field: `${shown}.${field}` }
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
function inWords(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`
  // zod gives whole numbers the range that a double can count.
  const limits = Object.entries(LIMITS)
    .filter(([name]) => schema[name] !== undefined && Math.abs(Number(schema[name])) !== Number.MAX_SAFE_INTEGER)
    .map(([name, say]) => say(schema[name]))
  return [[schema.type ?? 'anything'].flat().join(' or '), ...limits].join(', ')
}
