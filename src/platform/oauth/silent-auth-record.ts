import type { OutputOf } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'

/** A forced outcome of `prompt=none` requests. `left` is null when it is for every one. control-api: "Sign-in …" */
export const silentAuthRecord = recordSchema(({ z }) => ({
  outcome: z.string(),
  app: z.string().nullable(),
  organization: z.string().nullable(),
  user: z.string().nullable(),
  left: z.int().min(1).nullable(),
}))

export type SilentAuthRecord = OutputOf<typeof silentAuthRecord>

export const silentAuthKind = kind(silentAuthRecord, {
  indexes: {
    app: { key: (it) => it.app },
    organization: { key: (it) => it.organization },
    user: { key: (it) => it.user },
  },
  ownedBy: { apps: 'app', organizations: 'organization', users: 'user' },
})
