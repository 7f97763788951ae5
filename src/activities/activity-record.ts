import * as z from 'zod'
import { recordFields, timestamp } from '../schema/record-fields.js'

/** Exactly one of `member` and `members` is not null; both hold user ids. spec: §2.4 */
export const activityRecord = z.object({
  ...recordFields,
  organization: z.string(),
  element: z.string(),
  status: z.enum(['started', 'submitted', 'completed', 'graded']),
  passed: z.boolean().nullable(),
  score: z.number().nullable(),
  timestamp,
  completed_by: z.string().nullable(),
  member: z.string().nullable(),
  members: z.array(z.string()).nullable(),
  responses: z.array(z.object({ question: z.string().nullable(), value: z.unknown() })),
})

export type ActivityRecord = z.infer<typeof activityRecord>
