import * as z from 'zod'
import { freeForm, recordFields } from '../schema/record-fields.js'

/** An RS256 key pair as JWKs; `id` is its kid. Retired keys are gone from the JWKS. */
export const keyRecord = z.object({
  ...recordFields,
  private_jwk: freeForm,
  public_jwk: freeForm,
  retired: z.boolean(),
})

export type KeyRecord = z.infer<typeof keyRecord>
