import * as z from 'zod'
import { recordFields } from '../../foundation/schema/record-fields.js'

/** A forced outcome of `prompt=none` requests. `left` is null when it is for every one. control-api: "Sign-in …" */
export const silentAuthRecord = z.object({
  ...recordFields,
  outcome: z.string(),
  app: z.string().nullable(),
  organization: z.string().nullable(),
  user: z.string().nullable(),
  left: z.int().nullable(),
})

export type SilentAuthRecord = z.infer<typeof silentAuthRecord>
