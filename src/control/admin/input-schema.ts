import * as z from 'zod'
import type { Call } from './call.js'

export type JsonSchema = z.core.JSONSchema.JSONSchema

/** The query or the body of a call as a client writes it. */
export interface InputSchema extends JsonSchema {
  properties: Record<string, JsonSchema>
  required: string[]
}

/** Returns the JSON Schema of the query or the body of a call; undefined for a call that takes neither. */
export function inputSchemaOf({ query, body }: Call): InputSchema | undefined {
  const schema = query ?? body
  if (!schema) return undefined
  const { $schema: _, $ref, $defs = {}, ...own } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  // A schema with a name of its own is among the definitions.
  const name = $ref?.replace('#/$defs/', '') ?? ''
  const { [name]: whole, ...definitions } = $defs
  return {
    properties: {},
    required: [],
    ...own,
    ...whole,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  } as InputSchema
}
