import type * as z from 'zod'
import { loadSchemaWords } from '../schema/late-schema.js'
import { describeIssue, firstIssueOf, type PathIssue } from '../schema/schema-issues.js'
import type { Kind } from './kind.js'
import { FORMAT } from './snapshot-document.js'

/** Every kind of record, by the name of its collection. */
export type AnyKinds = Record<string, Kind<never>>

/** The schema of each collection's records, and how those of an earlier format become today's. */
export type RecordSchemas = Record<string, { schema: z.ZodObject; upgrade: Kind<never>['upgrade'] }>

type Checked = { id: string; record: unknown } | { issue: PathIssue }

export async function loadRecordSchemas(kinds: AnyKinds): Promise<RecordSchemas> {
  const words = await loadSchemaWords()
  const schemas = Object.entries(kinds).map(([name, { schema, upgrade }]) => [
    name,
    { schema: strictly(schema(words)), upgrade },
  ])
  return Object.fromEntries(schemas)
}

const strict = new WeakMap<z.ZodObject, z.ZodObject>()

/** The schema without unknown fields. It is made once: to make one takes longer than to check many records with it. */
function strictly(schema: z.ZodObject): z.ZodObject {
  const made = strict.get(schema) ?? schema.strict()
  strict.set(schema, made)
  return made
}

/** Returns a function that checks and upgrades a collection's records; undefined when there is no such collection. */
export function recordCheck(schemas: RecordSchemas, name: string, format: number) {
  if (!Object.hasOwn(schemas, name)) return undefined
  const { schema, upgrade } = schemas[name] as RecordSchemas[string]
  return (given: unknown): Checked => {
    const isOld = upgrade && format < FORMAT && typeof given === 'object' && given !== null
    const record = isOld ? upgrade(given as Record<string, unknown>, format) : given
    const read = schema.safeParse(record, { error: describeIssue })
    if (read.success) return { id: (record as { id: string }).id, record }
    return { issue: firstIssueOf(read.error) }
  }
}
