import type { OutputOf } from '../../foundation/schema/lazy-schema.js'
import { endingKind, recordSchema } from '../../foundation/store/kind.js'

/** A signed-in browser; `secret` is its cookie's value, `csrf` what its forms carry. The ambient session has no cookie. */
export const sessionRecord = recordSchema(({ z }) => ({
  secret: z.string(),
  csrf: z.string(),
  user: z.string(),
  ambient: z.boolean(),
}))

export type SessionRecord = OutputOf<typeof sessionRecord>

export const sessionKind = endingKind(sessionRecord, ({ ambient, created_at }) => (ambient ? null : created_at), {
  indexes: {
    secret: { key: (it) => (it.ambient ? null : it.secret), unique: true },
    ambient: { key: (it) => (it.ambient ? 'ambient' : null) },
    user: { key: (it) => it.user },
  },
  ownedBy: { users: 'user' },
  counted: true,
})
