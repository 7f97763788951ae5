import * as z from 'zod'
import * as words from '../../../foundation/schema/schema-words.js'
import { roles } from '../../../platform/organizations/roles.js'
import { userDocument, userFields, userRecord } from '../../../platform/organizations/user-record.js'
import type { CallSchemas } from '../call.js'
import { strict } from '../schema-parts.js'

const user = userRecord(words)
  .omit({ sequence: true, created_at: true })
  .extend({ organizations: z.array(z.object({ slug: z.string(), role: z.enum(roles) })) })
  .meta({ id: 'User' })

const fields = words.withoutDefaults(userFields(words))

const changes = strict(fields)
  .partial()
  .refine((given) => Object.keys(given).length > 0, `must hold at least one of ${Object.keys(fields).join(', ')}`)

/** control-api: "Organizations, users, apps" */
export const userSchemas = {
  listUsers: { answer: user },
  createUser: { body: userDocument(words).meta({ id: 'NewUser' }), answer: user },
  updateUser: { body: changes, answer: user },
} as const satisfies Record<string, CallSchemas>
