import type { Call } from './call.js'
import { type CallName, calls } from './calls.js'
import { inputSchemaOf } from './input-schema.js'
import { type CallField, fieldsOf } from './schema-fields.js'

/** The fields of the query or body of every control call. The build computes this module, like `call-table.ts`. */
export const callFields = Object.fromEntries(
  Object.entries<Call>(calls).map(([name, call]) => [name, fieldsOf(inputSchemaOf(call) ?? {})]),
) as Record<CallName, CallField[]>
