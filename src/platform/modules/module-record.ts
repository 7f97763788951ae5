import * as z from 'zod'
import { withoutDefaults } from '../../foundation/schema/document-fields.js'
import { recordFields } from '../../foundation/schema/record-fields.js'
import { moduleFields } from './module-fields.js'

/** `order` is a fractional key: siblings sorted by it stand in position order, and a move changes one record. */
export const moduleRecord = z.object({
  ...recordFields,
  organization: z.string(),
  course: z.string(),
  order: z.string(),
  ...withoutDefaults(moduleFields),
})

export type ModuleRecord = z.infer<typeof moduleRecord>
