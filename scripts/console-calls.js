// Writes the control calls for the console: method, path, and the fields of the form that makes each.
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** The largest number that zod writes where a schema has no limit. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** The field of a form for a value of this schema. */
function fieldOf(name, schema, required) {
  const { description, default: value, minimum, maximum } = schema
  const kind = kindOf(schema)
  const isRange = minimum !== undefined && maximum !== undefined && maximum !== NO_LIMIT
  const hints = [
    description && `${description.replaceAll('`', '')}.`,
    kind === 'duration' && 'For example 90s, 61m, 1h or 30d.',
    isRange && `From ${minimum} to ${maximum}.`,
  ].filter(Boolean)
  const choices = kind === 'boolean' && schema.const === undefined ? ['true', 'false'] : (schema.enum ?? schema.const)
  return {
    name,
    kind,
    ...(required && { required }),
    ...(hints.length > 0 && { hint: hints.join(' ') }),
    ...(choices !== undefined && { choices: [choices].flat().map(String) }),
    ...(['string', 'boolean'].includes(typeof value) && value !== '' && { default: String(value) }),
  }
}

/** A field's kind. console: `SchemaField` */
function kindOf({ type, anyOf = [] }) {
  const types = [type].flat()
  if (anyOf.some((each) => each.type === 'number') && anyOf.some((each) => each.type === 'string')) return 'duration'
  if (types.includes('string')) return 'text'
  if (types.includes('number') || types.includes('integer')) return 'number'
  return types.includes('boolean') ? 'boolean' : 'json'
}

/** The fields for the properties of an object. An object of plain values has a field for each of them. */
const fieldsOf = ({ properties = {}, required = [] }, prefix = '', isRequired = true) =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const isNeeded = isRequired && required.includes(name)
    const isPlain = Object.values(schema.properties ?? {}).every((each) => kindOf(each) !== 'json')
    return schema.properties && isPlain
      ? fieldsOf(schema, `${prefix}${name}.`, isNeeded)
      : [fieldOf(prefix + name, schema, isNeeded)]
  })

/**
 * @param tools a folder for the program that knows the calls.
 * @returns by the name of each call: method, path, `list`, fields of the path and of the body.
 */
export async function consoleCalls(tools) {
  const program = resolve(tools, 'control-calls.mjs')
  await build({
    stdin: {
      contents: `export { calls } from './src/control/admin/calls.js'
export { adminDocument } from './src/control/admin/admin-document.js'`,
      resolveDir: '.',
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  const { calls, adminDocument } = await import(pathToFileURL(program))
  rmSync(program)
  const { paths, components } = adminDocument(calls, 'http://127.0.0.1:4600')
  const entries = Object.entries(calls).map(([name, { method, path, list }]) => {
    const { parameters = [], requestBody } = paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const { $ref = '', ...body } = requestBody?.content['application/json'].schema ?? {}
    const schema = components.schemas[$ref.split('/').at(-1)] ?? body
    const pathFields = inPath.map(({ name, description }) => ({
      ...fieldOf(name, { type: 'string', description }, true),
      isInPath: true,
    }))
    const fields = [...pathFields, ...fieldsOf(schema)]
    return [name, { method, path, ...(list && { list }), fields }]
  })
  return Object.fromEntries(entries)
}
