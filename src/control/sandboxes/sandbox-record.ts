import type { OutputOf } from '../../foundation/schema/lazy-schema.js'
import { ascending } from '../../foundation/store/collection.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'
import { roles } from '../../platform/organizations/roles.js'

/**
 * An organization that was made for one test. `people` are those it was asked for, `copied` the users that came with a
 * copied organization. `expires_at` is in the machine's time. control-api: "Sandboxes"
 */
export const sandboxRecord = recordSchema(({ z, timestamp }) => ({
  organization: z.string(),
  people: z.array(z.object({ role: z.enum(roles), user: z.string() })),
  copied: z.array(z.string()),
  expires_at: timestamp,
}))

export type SandboxRecord = OutputOf<typeof sandboxRecord>

export const sandboxKind = kind(sandboxRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    /** `all`: the one that expires first is the first. */
    expiring: { key: () => 'all', compare: ascending((it) => it.expires_at) },
  },
  ownedBy: { organizations: 'organization' },
})
