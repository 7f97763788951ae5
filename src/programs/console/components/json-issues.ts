import type { JsonSchema } from '../../../control/admin/input-schema.js'
import type { Issue } from '../../../foundation/schema/issue.js'

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const within = (path: string, name: string | number) => (path === '' ? String(name) : `${path}.${name}`)

type InnerSchemas = JsonSchema & { items?: JsonSchema; properties?: Record<string, JsonSchema> }

/** Returns the parts of a document that its schema does not allow; the emulator checks the rest when it is sent. */
export function schemaIssues(schema: JsonSchema, value: unknown, path = ''): Issue[] {
  const { required = [], anyOf, items, properties = {} } = schema as InnerSchemas
  const option = anyOf?.find((each) => each.type === typeOf(value))
  if (option) return schemaIssues(option, value, path)
  const message = messageOn(schema, value)
  if (message) return [{ path, message }]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value))
    return items ? value.flatMap((each, index) => schemaIssues(items, each, within(path, index))) : []
  return [
    ...required.flatMap((name) => (name in value ? [] : [{ path: within(path, name), message: 'is required' }])),
    ...Object.entries(value).flatMap(([name, inner]) =>
      properties[name] ? schemaIssues(properties[name], inner, within(path, name)) : [],
    ),
  ]
}

function messageOn(schema: JsonSchema, value: unknown): string | undefined {
  const { anyOf, const: only, minItems = 0, minLength = minItems, pattern } = schema
  const type = anyOf?.map((each) => each.type).join(' or ') ?? schema.type
  const given = typeOf(value)
  if (type && type !== given) return `must be ${type}, not ${given}`
  if (only !== undefined && only !== value) return `must be ${only}`
  if (typeof value !== 'string' && !Array.isArray(value)) return undefined
  if (value.length < minLength) return 'must not be empty'
  return pattern && !new RegExp(pattern).test(String(value)) ? `must match ${pattern}` : undefined
}

/**
 * Returns the line of the value at a path in JSON text, counted from 1; of the innermost part of the path that is there.
 * @param path as in `steps.3.install` or, of a scenario, `steps[3].install`.
 */
export function lineOf(text: string, path: string): number {
  const wanted = `${path.replaceAll(/\[(\d+)]/g, '.$1')}.`
  const at: (string | number)[] = []
  let found = 0
  let deepest = 0
  for (const { 0: token, 1: colon, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/g)) {
    const last = at.at(-1)
    if (token === '{') at.push('')
    else if (token === '[') at.push(0)
    else if (token === '}' || token === ']') at.pop()
    else if (token === ',' && typeof last === 'number') at[at.length - 1] = last + 1
    else if (colon) at[at.length - 1] = token.slice(1, token.lastIndexOf('"'))
    const here = at.join('.')
    if (here.length <= deepest || !wanted.startsWith(`${here}.`)) continue
    deepest = here.length
    found = token === ',' || token === '[' ? index + 1 + text.slice(index + 1).search(/\S/) : index
  }
  return text.slice(0, found).split('\n').length
}
