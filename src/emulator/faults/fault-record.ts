import type { OutputOf, SchemaWords } from '../../foundation/schema/late-schema.js'
import { kind } from '../../foundation/store/kind.js'

/** An injected fault, and how often it has matched (`seen`) and fired (`hits`). control-api: "Faults" */
export const faultRecord = ({ z, recordFields, timestamp, freeForm }: SchemaWords) =>
  z.object({
    ...recordFields,
    match: freeForm,
    effect: z.unknown(),
    phase: z.enum(['before', 'after']),
    times: z.int().nullable(),
    after: z.int(),
    probability: z.number(),
    expires_at: timestamp.nullable(),
    seen: z.int(),
    hits: z.int(),
  })

export type FaultRecord = OutputOf<typeof faultRecord>

export const faultKind = kind(faultRecord, {
  indexes: {},
  fixture: 'plain',
  counted: true,
})
