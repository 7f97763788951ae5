import * as z from 'zod'
import { withoutDefaults } from '../../foundation/schema/document-fields.js'
import { recordFields, timestamp } from '../../foundation/schema/record-fields.js'
import { activityFields } from './activity-fields.js'

/** Exactly one of `member` and `members` is not null; both hold user ids. spec: §2.4 */
export const activityRecord = z.object({
  ...recordFields,
  organization: z.string(),
  element: z.string(),
  timestamp,
  completed_by: z.string().nullable(),
  member: z.string().nullable(),
  members: z.array(z.string()).nullable(),
  ...withoutDefaults(activityFields),
})

export type ActivityRecord = z.infer<typeof activityRecord>
