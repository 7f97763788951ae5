import * as z from 'zod'
import { recordFields } from '../../foundation/schema/record-fields.js'

/** A signed-in browser; `secret` is its cookie's value, `csrf` what its forms carry. The ambient session has no cookie. */
export const sessionRecord = z.object({
  ...recordFields,
  secret: z.string(),
  csrf: z.string(),
  user: z.string(),
  ambient: z.boolean(),
})

export type SessionRecord = z.infer<typeof sessionRecord>
