import * as z from 'zod'
import { recordFields, timestamp } from '../../foundation/schema/record-fields.js'

/** An authorization code. wire: §6 */
export const codeRecord = z.object({
  ...recordFields,
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
})

export type CodeRecord = z.infer<typeof codeRecord>
