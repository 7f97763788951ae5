import type { OutputOf } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'
import { roles } from './roles.js'

/** `id` is `<organization>/<user>`. */
export const membershipRecord = recordSchema(({ z }) => ({
  organization: z.string(),
  user: z.string(),
  role: z.enum(roles),
}))

export type MembershipRecord = OutputOf<typeof membershipRecord>

export const membershipKind = kind(membershipRecord, {
  indexes: { organization: { key: (it) => it.organization }, user: { key: (it) => it.user } },
  ownedBy: { organizations: 'organization', users: 'user' },
})
