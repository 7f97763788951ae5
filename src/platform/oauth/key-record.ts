import * as z from 'zod'
import { freeForm, recordFields, timestamp } from '../../foundation/schema/record-fields.js'

/** An RS256 key pair as JWKs; `id` is its kid. Retired keys are gone from the JWKS. */
export const keyRecord = z.object({
  ...recordFields,
  private_jwk: freeForm,
  public_jwk: freeForm,
  retired: z.boolean(),
  /** Until then it is published and does not sign; absent: it signs at once. */
  signs_from: timestamp.optional(),
})

export type KeyRecord = z.infer<typeof keyRecord>
