import type { OutputOf } from '../../foundation/schema/lazy-schema.js'
import { endingKind, recordSchema } from '../../foundation/store/kind.js'
import { nonWordSecretKey } from '../../foundation/store/non-word-secret.js'

/**
 * An access or refresh token. `ended` says what ended it before its time; being expired is a matter of the clock.
 * `code` is the id of the authorization code it was issued for, if any. `access` is the id of the access token that a
 * refresh token was made with; absent in access tokens, and in stores of earlier versions.
 */
export const tokenRecord = recordSchema(({ z, timestamp }) => ({
  secret: z.string(),
  kind: z.enum(['access', 'refresh']),
  grant: z.enum(['install', 'authorize']),
  app: z.string(),
  organization: z.string(),
  installation: z.string(),
  user: z.string().nullable(),
  scope: z.string(),
  code: z.string().nullable(),
  access: z.string().optional(),
  expires_at: timestamp,
  ended: z.enum(['revoked', 'rotated']).nullable(),
  ended_at: timestamp.nullable(),
  /** The cause of its end, for the journal: `uninstalled`, `upgraded`, …; also of an expiry before its time. */
  ended_by: z.string().nullable(),
}))

export type TokenRecord = OutputOf<typeof tokenRecord>

export const tokenKind = endingKind(
  tokenRecord,
  ({ ended_at, expires_at }) => (ended_at && ended_at < expires_at ? ended_at : expires_at),
  {
    indexes: {
      secret: { key: (it) => it.secret, unique: true },
      installation: { key: (it) => it.installation },
      code: { key: (it) => it.code },
      user: { key: (it) => it.user },
      non_word_secret: { key: (it) => nonWordSecretKey(it.secret) },
    },
    ownedBy: { installations: 'installation', users: 'user' },
    counted: true,
  },
)
