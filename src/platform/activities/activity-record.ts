import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'

/** The fields of an activity, with what they are when a document leaves them out. wire: §4 "activity" */
export const activityFields = ({ z }: SchemaWords) => ({
  status: z.enum(['started', 'submitted', 'completed', 'graded']).default('completed'),
  passed: z.boolean().nullable().default(null),
  score: z.number().nullable().default(null),
  responses: z.array(z.strictObject({ question: z.string().nullable(), value: z.unknown() })).default([]),
})

/** An activity of an element in a fixture document. fixtures: "Fields" */
export const activityDocument = (words: SchemaWords) => {
  const { z, moment, documentId, generated } = words
  return z
    .strictObject({
      id: documentId.optional(),
      member: z.string().optional(),
      members: z.array(z.string()).min(1).optional(),
      timestamp: moment.optional(),
      completed_by: z.string().nullable().optional(),
      ...activityFields(words),
      ...generated,
    })
    .refine(({ member, members }) => (member === undefined) !== (members === undefined), {
      path: ['member'],
      error: 'exactly one of member and members must be given',
    })
}

/** Exactly one of `member` and `members` is not null; both hold user ids. spec: §2.4 */
export const activityRecord = recordSchema((words) => {
  const { z, timestamp } = words
  return {
    organization: z.string(),
    element: z.string(),
    timestamp,
    completed_by: z.string().nullable(),
    member: z.string().nullable(),
    members: z.array(z.string()).nullable(),
    ...activityFields(words),
  }
})

export type ActivityRecord = OutputOf<typeof activityRecord>

export const activityKind = kind(activityRecord, {
  indexes: { organization: { key: (it) => it.organization }, element: { key: (it) => it.element } },
  ownedBy: { elements: 'element' },
  counted: true,
})
