import * as z from 'zod'
import { documentId, generated, moment } from '../../foundation/schema/document-fields.js'
import { roles } from './roles.js'

/** RFC 5321 §4.5.3.1.3. Its length comes first: an expression may take too long or too much for megabytes. */
const LONGEST_EMAIL = 254

export const isEmail = (text: string): boolean => text.length <= LONGEST_EMAIL && z.email().safeParse(text).success

/** The fields of a user that people give, with what they are when a document leaves them out. control-api: "Shapes" */
export const userFields = {
  /** Its form is judged with the references, so that a bad one hides no other issue. */
  email: z.string().meta({ format: 'email' }),
  first_name: z.string().default(''),
  last_name: z.string().default(''),
  email_verified: z.boolean().default(false),
  avatar: z.string().nullable().default(null),
}

/** fixtures: `users`; also the body of `POST /_admin/users`. */
export const userDocument = z.strictObject({
  id: documentId.optional(),
  ...userFields,
  /** First and last name when left out. */
  full_name: z.string().optional(),
  last_seen: moment.nullable().default(null),
  organizations: z.array(z.strictObject({ slug: z.string(), role: z.enum(roles).default('learner') })).optional(),
  ...generated,
})
