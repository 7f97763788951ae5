import * as z from 'zod'
import { recordFields } from '../../foundation/schema/record-fields.js'
import { roles } from './roles.js'

/** `id` is `<organization>/<user>`. */
export const membershipRecord = z.object({
  ...recordFields,
  organization: z.string(),
  user: z.string(),
  role: z.enum(roles),
})

export type MembershipRecord = z.infer<typeof membershipRecord>
