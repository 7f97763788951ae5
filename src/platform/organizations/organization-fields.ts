import * as z from 'zod'
import { documentId, generated } from '../../foundation/schema/document-fields.js'
import { roles } from './roles.js'

/** A member of an organization in a fixture document. */
const membershipDocument = z.strictObject({
  user: z.string(),
  role: z.enum(roles).default('learner'),
  ...generated,
})

/** What a fixture document says of an organization, but for its courses. fixtures: `organizations` */
export const organizationFields = {
  slug: documentId,
  /** The slug when left out. */
  name: z.string().min(1).optional(),
  /** Left out: one is generated. Null: none has been generated yet. */
  api_key: z.string().min(1).nullable().optional(),
  members: z.array(membershipDocument).default([]),
}
