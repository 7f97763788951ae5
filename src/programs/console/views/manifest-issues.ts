import type { Issue } from '../api/call.js'
import { controlDocument } from '../api/form-fields.js'
import { type JsonSchema, schemaIssues } from '../parts/json-issues.js'

/** Returns the issues of a manifest while it is being written. The emulator checks it in any case. */
export function manifestIssues(text: string): Issue[] {
  const schema = controlDocument.value?.components.schemas.Manifest
  try {
    const manifest: unknown = JSON.parse(text)
    return schema ? schemaIssues(schema as JsonSchema, manifest) : []
  } catch (error) {
    return [{ path: '', message: `This is not valid JSON: ${error instanceof Error ? error.message : error}` }]
  }
}
