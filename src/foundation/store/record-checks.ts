import { type PathIssue, readStored } from '../schema/issue.js'
import { loadSchemaWords } from '../schema/lazy-schema.js'
import type { Kind } from './kind.js'

export type AnyKinds = Record<string, Kind<never>>

export type RecordChecks = Map<string, (record: unknown) => PathIssue | undefined>

export async function loadRecordChecks(kinds: AnyKinds): Promise<RecordChecks> {
  const words = await loadSchemaWords()
  const checks: RecordChecks = new Map()
  for (const [name, kind] of Object.entries(kinds)) {
    const schema = kind.schema(words).strict()
    checks.set(name, (record) => readStored(schema, record).issues?.[0])
  }
  return checks
}
