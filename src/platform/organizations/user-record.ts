import * as z from 'zod'
import { withoutDefaults } from '../../foundation/schema/document-fields.js'
import { recordFields, timestamp } from '../../foundation/schema/record-fields.js'
import { userFields } from './user-fields.js'

export const userRecord = z.object({
  ...recordFields,
  ...withoutDefaults(userFields),
  full_name: z.string(),
  last_seen: timestamp.nullable(),
})

export type UserRecord = z.infer<typeof userRecord>
