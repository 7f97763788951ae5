import * as z from 'zod'
import type { Call } from '../../../src/control/admin/call.js'
import { type CallName, calls } from '../../../src/control/admin/calls.js'
import { capitalized } from '../../../src/programs/reports/capitalized.js'
import { type Json, literalUnion, schemaOf, typeNameFor } from './definitions.js'

/** The parameters of a call's method: names in the path, then fields of the body, or the body, or the query. */
function parametersOf(name: CallName): string {
  const { path, argument, bodyOptional, query, body }: Call = calls[name]
  const names = [...path.matchAll(/:(\w+)/g)].map(([, param]) => `${param}: string`)
  if (argument && body) {
    const { properties = {} } = schemaOf(body, 'input')
    const first = `${argument}${bodyOptional ? '?' : ''}: ${inline(properties[argument] as Json)}`
    return [...names, first, ...othersOf(name, body, argument)].join(', ')
  }
  const given = query ?? body
  if (!given) return names.join(', ')
  const [suffix, words] = query ? ['Query', 'Query parameters'] : ['Body', 'Body']
  const type = typeNameFor(`${capitalized(name)}${suffix}`, `${words} of \`${name}\``, given, 'input')
  const optional = (query ? query.safeParse({}).success : bodyOptional) ? '?' : ''
  return [...names, `${query ? 'query' : 'body'}${optional}: ${type}`].join(', ')
}

/** The parameter with the fields of a body beside the one that is an argument of its own; none when there are none. */
function othersOf(name: CallName, body: z.ZodType, argument: string): string[] {
  if (!(body instanceof z.ZodObject)) return []
  const { [argument]: _, ...others } = body.shape
  if (Object.keys(others).length === 0) return []
  const description = `Further fields of \`${name}\``
  return [`others?: ${typeNameFor(`${capitalized(name)}Options`, description, z.strictObject(others), 'input')}`]
}

/** A simple type in place. @throws Error for one that needs a name. */
function inline({ tsType, type, enum: values }: Json): string {
  if (tsType) return tsType
  if (values) return literalUnion(values as string[])
  if (type === 'string') return type
  throw new Error('A field that a method takes by itself has a type that needs a name')
}

/** A call as a method of the client, with its documentation. */
export function methodOf(name: CallName): string {
  const { summary, method, path, list, response }: Call = calls[name]
  const parameters = parametersOf(name)
  const result = typeNameFor(`${capitalized(name)}Result`, `Result of \`${name}\``, response, 'output')
  return `  /** ${summary}. \`${method} ${path.replace(/:(\w+)/g, '{$1}')}\` */
  ${name}(${parameters}): Promise<${result}${list ? '[]' : ''}>`
}
