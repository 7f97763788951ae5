import * as z from 'zod'
import { generated, moment } from '../../foundation/schema/document-fields.js'
import { freeForm } from '../../foundation/schema/record-fields.js'

const enrolment = z.strictObject({
  user: z.string(),
  joined_at: moment.optional(),
  custom_fields: freeForm.default({}),
  ...generated,
})

/** A member of a course in a fixture document. fixtures: "Fields" */
export const courseMemberDocument = z.union([z.string(), enrolment], {
  error: 'must be a user, or { user, joined_at, custom_fields }',
})
