import * as z from 'zod'
import { type Call, type CallOutline, nameMeanings } from './call.js'
import { type CallName, calls } from './calls.js'

/** A field of a query or body that a flag can set, as the command line has it. */
export interface FieldOutline {
  type: 'string' | 'number' | 'boolean' | 'duration'
  describe: string
}

/** A call as plain data. */
export interface CallRow extends CallOutline {
  source: string
  /** Meanings of the names in its path, in their order. */
  names: Record<string, string>
  fields: Record<string, FieldOutline>
}

function rowOf({ method, path, summary, status, list, open, bodyOptional, argument, command, source, ...call }: Call) {
  const names = Array.from(path.matchAll(/([\w-]+)\/:(\w+)/g), ([, segment = '', name = '']) => [
    name,
    nameMeanings[segment] ?? name,
  ])
  const row: CallRow = {
    ...{ method, path, summary, status, list, open, bodyOptional, argument, command, source },
    names: Object.fromEntries(names),
    fields: fieldsOf(call.query ?? call.body),
  }
  return row
}

function fieldsOf(schema: z.ZodType | undefined): Record<string, FieldOutline> {
  if (!(schema instanceof z.ZodObject)) return {}
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  return Object.fromEntries(
    Object.entries(properties as Record<string, z.core.JSONSchema.JSONSchema>).flatMap(([name, field]) => {
      const type = flagType(field)
      return type ? [[name, { type, describe: describeField(field) }]] : []
    }),
  )
}

/** Returns the type of a flag for a field; undefined for one that takes more than a word. */
function flagType({ type, anyOf }: z.core.JSONSchema.JSONSchema): FieldOutline['type'] | undefined {
  if (anyOf)
    return anyOf.some((option) => (option as z.core.JSONSchema.JSONSchema).type === 'number') ? 'duration' : undefined
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'string' || type === 'boolean' ? type : undefined
}

/** Lists the values of a field that has a few, and repeats the description of another. */
function describeField({ enum: values, description = '' }: z.core.JSONSchema.JSONSchema): string {
  if (!values || values.length > 6) return description
  return [values.slice(0, -1).join(', '), values.at(-1)].join(' or ')
}

/**
 * Every control call without schemas and handler. The build computes this module and puts its value into the package
 * (scripts/build.js), so that clients and a start load neither.
 */
export const callTable = Object.fromEntries(
  Object.entries<Call>(calls).map(([name, call]) => [name, rowOf(call)]),
) as Record<CallName, CallRow>

export const callNames = Object.keys(callTable) as CallName[]
