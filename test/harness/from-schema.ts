import fc from 'fast-check'

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema and JSON as they come
type Json = any
type Components = Record<string, Json>

const ODD_TEXTS = [
  '',
  '__proto__',
  'constructor',
  'toString',
  '\ud800',
  '\udc00x',
  '\u0000',
  '😀',
  '[',
  'null',
  '{}',
  'ﷺ',
]
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  fc.constantFrom(...ODD_TEXTS),
)
const webUrl = fc.webUrl({ withQueryParameters: true, withFragments: true, size: 'small' })
const moment = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2999-12-31T00:00:00Z'), noInvalidDate: true })
  .chain((date) => {
    const iso = date.toISOString()
    return fc.constantFrom(iso, iso.slice(0, 10), iso.replace('Z', '+05:30'), iso.replace(/\.\d+Z/, 'Z'))
  })
const anything = fc.jsonValue({ maxDepth: 1 })

export const resolve = (schema: Json, components: Components): Json =>
  schema.$ref ? components[schema.$ref.split('/').at(-1)] : schema

/** Values that the schema allows. Only what this API's document uses is understood; anything else throws. */
export function valid(given: Json, components: Components): fc.Arbitrary<Json> {
  const schema = resolve(given, components)
  const of = (inner: Json) => valid(inner, components)
  const options = schema.oneOf ?? schema.anyOf
  if (options) return fc.oneof(...options.map(of))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => of({ ...schema, type })))
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 1000) })
    case 'string':
      return textOf(schema)
    case 'array':
      return fc.array(of(schema.items), { minLength: schema.minItems ?? 0, maxLength: (schema.minItems ?? 0) + 2 })
    case 'object':
      return objectOf(schema, of)
    case undefined:
      return anything
    default:
      throw new Error(`No values are known for ${JSON.stringify(schema)}`)
  }
}

function textOf({ pattern, minLength = 0, maxLength }: Json): fc.Arbitrary<string> {
  if (pattern === undefined) return maxLength === undefined ? text : text.filter((it) => it.length >= minLength)
  if (/tT/.test(pattern)) return webUrl
  if (/\\d/.test(pattern)) return moment
  const shape = new RegExp(pattern, 'u')
  // Fields that reject control characters reject all unprintable ones, which no portable pattern can express.
  const unprintable = shape.test('\u0007') ? /(?!)/ : /[\p{C}\p{Zl}\p{Zp}]/u
  return text.filter(
    (it) => shape.test(it) && !unprintable.test(it) && it.length >= minLength && it.length <= (maxLength ?? it.length),
  )
}

function objectOf(
  { properties, required = [], propertyNames, additionalProperties }: Json,
  of: (schema: Json) => fc.Arbitrary<Json>,
) {
  if (properties) {
    const fields = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, of(inner)]))
    return fc.record(fields, { requiredKeys: required, noNullPrototype: true })
  }
  const values = of(additionalProperties).map((value: Json) => (value === null ? '' : value))
  return fc.dictionary(of({ type: 'string', ...propertyNames }), values, { maxKeys: 4, noNullPrototype: true })
}

/** A change of one place of a value that makes it break the schema: where, and what to put there. */
export interface Mutation {
  path: (string | number)[]
  value: Json
}

/** Every place of `value` that the schema gives reason to break, with what to put there; `mutate` does it. */
export const mutations = (schema: Json, value: Json, components: Components): Mutation[] => [
  ...broken(schema, value, components, []),
]

/** `value` with one place changed. */
export const mutate = (value: Json, { path, value: replacement }: Mutation): Json => replaced(value, path, replacement)

const GONE = Symbol('gone')

function replaced(value: Json, [key, ...rest]: (string | number)[], by: Json): Json {
  if (key === undefined) return by
  const copy = Array.isArray(value) ? [...value] : { ...value }
  const inner = replaced(value?.[key], rest, by)
  if (inner === GONE) delete copy[key]
  else copy[key] = inner
  return copy
}

const typesOf = (schema: Json): string[] => [schema.type].flat()

function* broken(given: Json, value: Json, components: Components, path: (string | number)[]): Generator<Mutation> {
  const schema = resolve(given, components)
  const at = (replacement: Json): Mutation => ({ path, value: replacement })
  if (schema.oneOf || schema.anyOf) {
    const options = (schema.oneOf ?? schema.anyOf).map((option: Json) => resolve(option, components))
    const fitting = options.find((option: Json) =>
      schema.oneOf && options.every((it: Json) => it.properties?.type?.const)
        ? option.properties.type.const === value?.type
        : typesOf(option).includes(value === null ? 'null' : 'other') === (value === null),
    )
    if (value !== null && fitting) yield* exceptNull(options, broken(fitting, value, components, path), path)
    return
  }
  if (schema.const !== undefined || schema.enum) {
    for (const it of ['nope', '', 5, {}, [], true]) yield at(it)
    return
  }
  const types = typesOf(schema)
  if (types.includes('null')) {
    const other = { ...schema, type: types.find((it) => it !== 'null') }
    if (value !== null) yield* exceptNull([{ type: 'null' }], broken(other, value, components, path), path)
    return
  }
  switch (types.length === 1 ? types[0] : undefined) {
    case 'boolean':
      for (const it of ['true', 0, null, {}]) yield at(it)
      break
    case 'integer':
      for (const it of ['1', 0.5, null, [], true]) yield at(it)
      if (schema.minimum !== undefined) yield at(schema.minimum - 1)
      if (schema.maximum !== undefined) yield at(schema.maximum + 1)
      break
    case 'string':
      for (const it of [5, null, {}, [], false]) yield at(it)
      if (schema.maxLength !== undefined) yield at('https://x.test/'.padEnd(schema.maxLength + 1, 'x'))
      if (schema.minLength > 0) yield at('')
      for (const it of schema.pattern === undefined ? [] : ['neither date nor URL', 'a control character: \u0007']) {
        if (!new RegExp(schema.pattern, 'u').test(it)) yield at(it)
      }
      break
    case 'array':
      for (const it of [5, 'x', {}]) yield at(it)
      if (schema.minItems > 0) yield at(value.slice(0, schema.minItems - 1))
      for (const [index, item] of value.entries()) yield* broken(schema.items, item, components, [...path, index])
      break
    case 'object':
      for (const it of [5, 'x', []]) yield at(it)
      if (schema.additionalProperties === false) yield { path: [...path, 'unknown_key'], value: 1 }
      for (const key of schema.required ?? []) yield { path: [...path, key], value: GONE }
      if (schema.propertyNames) {
        yield { path: [...path, 'a[b]'], value: 'x' }
        yield { path: [...path, 'k'.repeat(41)], value: 'x' }
        yield { path: [...path, 'key'], value: 'v'.repeat(501) }
        for (const it of [null, {}, []]) yield { path: [...path, 'key'], value: it }
      }
      for (const [name, inner] of Object.entries(schema.properties ?? {})) {
        if (Object.hasOwn(value, name)) yield* broken(inner, value[name], components, [...path, name])
      }
      break
  }
}

/** Leaves out null where one of the options allows it. */
function* exceptNull(options: Json[], found: Iterable<Mutation>, { length }: (string | number)[]): Generator<Mutation> {
  const allowed = options.some(({ type }) => type === 'null')
  for (const mutation of found)
    if (!(allowed && mutation.value === null && mutation.path.length === length)) yield mutation
}
