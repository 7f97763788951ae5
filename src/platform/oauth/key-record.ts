import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind } from '../../foundation/store/kind.js'

/** An RS256 key pair as JWKs; `id` is its kid. Retired keys are gone from the JWKS. */
export const keyRecord = ({ z, recordFields, timestamp, freeForm }: SchemaWords) =>
  z.object({
    ...recordFields,
    private_jwk: freeForm,
    public_jwk: freeForm,
    retired: z.boolean(),
    /** The time at which it begins to sign; at once when left out. It is published before. */
    signs_from: timestamp.optional(),
  })

export type KeyRecord = OutputOf<typeof keyRecord>

export const keyKind = kind(keyRecord, { indexes: {} })
