import { signal } from '@preact/signals'
import { callOf, type Issue, sendCall } from '../api/call.js'
import { type JsonSchema, schemaIssues } from '../parts/json-issues.js'

/** The schema of manifests, from the emulator's OpenAPI document. */
const schema = signal<JsonSchema | undefined>(undefined)
let isAsked = false

interface Document {
  components?: { schemas?: { Manifest?: JsonSchema } }
}

/** Reads the schema once, when a form first needs it. The emulator checks the manifest in any case. */
async function loadSchema(): Promise<void> {
  isAsked = true
  try {
    const { components }: Document = await sendCall(callOf('adminDocument'))
    schema.value = components?.schemas?.Manifest
  } catch {
    isAsked = false
  }
}

/** Returns the issues of a manifest while it is being written. */
export function manifestIssues(text: string): Issue[] {
  if (!isAsked) void loadSchema()
  try {
    const manifest: unknown = JSON.parse(text)
    return schema.value ? schemaIssues(schema.value, manifest) : []
  } catch (error) {
    return [{ path: '', message: `This is not valid JSON: ${error instanceof Error ? error.message : error}` }]
  }
}
