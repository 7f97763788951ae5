import type * as z from 'zod'
import { loadSchemaWords } from '../schema/lazy-schema.js'
import { describeIssue, firstIssueOf, type PathIssue } from '../schema/schema-issues.js'
import type { Kind } from './kind.js'

/** Every kind of record, by the name of its collection. */
export type AnyKinds = Record<string, Kind<never>>

/** The schema of each collection's records. */
export type RecordSchemas = Record<string, z.ZodObject>

export async function loadRecordSchemas(kinds: AnyKinds): Promise<RecordSchemas> {
  const words = await loadSchemaWords()
  return Object.fromEntries(Object.entries(kinds).map(([name, { schema }]) => [name, strictly(schema(words))]))
}

const strict = new WeakMap<z.ZodObject, z.ZodObject>()

/** The schema without unknown fields. It is made once: to make one takes longer than to check many records with it. */
function strictly(schema: z.ZodObject): z.ZodObject {
  const made = strict.get(schema) ?? schema.strict()
  strict.set(schema, made)
  return made
}

/** Returns a function that finds the first issue of a collection's record; undefined when there is no such collection. */
export function recordCheck(schemas: RecordSchemas, name: string) {
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (!schema) return undefined
  return (record: unknown): PathIssue | undefined => {
    const { error } = schema.safeParse(record, { error: describeIssue })
    return error && firstIssueOf(error)
  }
}
