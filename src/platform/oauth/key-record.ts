import type { OutputOf } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'

/** An RS256 key pair as JWKs; `id` is its kid. Retired keys are gone from the JWKS. */
export const keyRecord = recordSchema(({ z, timestamp, freeForm }) => ({
  private_jwk: freeForm,
  public_jwk: freeForm,
  retired: z.boolean(),
  /** The time at which it begins to sign; at once when left out. It is published before. */
  signs_from: timestamp.optional(),
}))

export type KeyRecord = OutputOf<typeof keyRecord>

export const keyKind = kind(keyRecord, { indexes: {} })
