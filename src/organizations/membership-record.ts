import * as z from 'zod'
import { recordFields } from '../schema/record-fields.js'

export const roles = ['owner', 'admin', 'lecturer', 'learner'] as const

/** The roles that may install apps. control-api: "Installations" */
export const managingRoles: readonly string[] = ['owner', 'admin'] satisfies (typeof roles)[number][]

/** `id` is `<organization>/<user>`. */
export const membershipRecord = z.object({
  ...recordFields,
  organization: z.string(),
  user: z.string(),
  role: z.enum(roles),
})

export type MembershipRecord = z.infer<typeof membershipRecord>
export type Role = MembershipRecord['role']
