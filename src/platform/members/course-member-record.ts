import * as z from 'zod'
import { freeForm, recordFields, timestamp } from '../../foundation/schema/record-fields.js'

/** `id` is `<course>/<user>`. */
export const courseMemberRecord = z.object({
  ...recordFields,
  organization: z.string(),
  course: z.string(),
  user: z.string(),
  joined_at: timestamp,
  custom_fields: freeForm,
})

export type CourseMemberRecord = z.infer<typeof courseMemberRecord>
