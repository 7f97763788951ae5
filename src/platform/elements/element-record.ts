import * as z from 'zod'
import { freeForm, recordFields, timestamp } from '../../foundation/schema/record-fields.js'

/** `properties` as stored: see `src/platform/elements/element-types.ts`. `order` as on a module. */
export const elementRecord = z.object({
  ...recordFields,
  organization: z.string(),
  course: z.string(),
  module: z.string(),
  order: z.string(),
  type: z.string(),
  name: z.string(),
  content: z.string(),
  cover: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  properties: freeForm,
  updated_at: timestamp,
})

export type ElementRecord = z.infer<typeof elementRecord>
