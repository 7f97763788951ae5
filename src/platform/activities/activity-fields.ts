import * as z from 'zod'
import { documentId, generated, moment } from '../../foundation/schema/document-fields.js'

const response = z.strictObject({ question: z.string().nullable(), value: z.unknown() })

/** The fields of an activity, with what they are when a document leaves them out. wire: §4 "activity" */
export const activityFields = {
  status: z.enum(['started', 'submitted', 'completed', 'graded']).default('completed'),
  passed: z.boolean().nullable().default(null),
  score: z.number().nullable().default(null),
  responses: z.array(response).default([]),
}

/** An activity of an element in a fixture document. fixtures: "Fields" */
export const activityDocument = z
  .strictObject({
    id: documentId.optional(),
    member: z.string().optional(),
    members: z.array(z.string()).min(1).optional(),
    timestamp: moment.optional(),
    completed_by: z.string().nullable().optional(),
    ...activityFields,
    ...generated,
  })
  .refine(({ member, members }) => (member === undefined) !== (members === undefined), {
    path: ['member'],
    error: 'exactly one of member and members must be given',
  })
