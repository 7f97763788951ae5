import type { OutputOf } from '../../foundation/schema/lazy-schema.js'
import { endingKind, recordSchema } from '../../foundation/store/kind.js'
import { nonWordSecretKey } from '../../foundation/store/non-word-secret.js'

/** An authorization code. wire: §6 */
export const codeRecord = recordSchema(({ z, timestamp }) => ({
  secret: z.string(),
  app: z.string(),
  organization: z.string(),
  installation: z.string(),
  user: z.string(),
  scope: z.string(),
  redirect_uri: z.string(),
  nonce: z.string().nullable(),
  code_challenge: z.string().nullable(),
  code_challenge_method: z.enum(['S256', 'plain']).nullable(),
  expires_at: timestamp,
  used_at: timestamp.nullable(),
  /** The cause of an end before its time, for the journal. */
  ended_by: z.string().optional(),
}))

export type CodeRecord = OutputOf<typeof codeRecord>

export const codeKind = endingKind(codeRecord, ({ used_at, expires_at }) => used_at ?? expires_at, {
  indexes: {
    secret: { key: (it) => it.secret, unique: true },
    installation: { key: (it) => it.installation },
    user: { key: (it) => it.user },
    non_word_secret: { key: (it) => nonWordSecretKey(it.secret) },
  },
  ownedBy: { installations: 'installation', users: 'user' },
})
