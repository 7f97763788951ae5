import * as z from 'zod'
import { freeForm, recordFields } from '../schema/record-fields.js'

/** `order` is a fractional key: siblings sorted by it stand in position order, and a move changes one record. */
export const moduleRecord = z.object({
  ...recordFields,
  organization: z.string(),
  course: z.string(),
  name: z.string(),
  order: z.string(),
  metadata: freeForm,
})

export type ModuleRecord = z.infer<typeof moduleRecord>
