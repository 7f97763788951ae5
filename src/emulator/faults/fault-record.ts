import * as z from 'zod'
import { freeForm, recordFields, timestamp } from '../../foundation/schema/record-fields.js'

/** An injected fault as it was asked for, and how often it has matched (`seen`) and fired (`hits`). control-api: "Faults" */
export const faultRecord = z.object({
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

export type FaultRecord = z.infer<typeof faultRecord>
