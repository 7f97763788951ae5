import * as z from 'zod'
import { withoutDefaults } from '../../../foundation/schema/document-fields.js'
import { roles } from '../../../platform/organizations/roles.js'
import { userDocument, userFields } from '../../../platform/organizations/user-fields.js'
import { userRecord } from '../../../platform/organizations/user-record.js'
import type { CallSchemas } from '../call.js'
import { strict } from '../schema-parts.js'

const user = userRecord
  .omit({ sequence: true, created_at: true })
  .extend({ organizations: z.array(z.object({ slug: z.string(), role: z.enum(roles) })) })
  .meta({ id: 'User' })

const changes = strict(withoutDefaults(userFields))
  .partial()
  .refine((given) => Object.keys(given).length > 0, `must hold at least one of ${Object.keys(userFields).join(', ')}`)

/** control-api: "Organizations, users, apps" */
export const userSchemas = {
  listUsers: { answer: user },
  createUser: { body: userDocument.meta({ id: 'NewUser' }), answer: user },
  updateUser: { body: changes, answer: user },
} as const satisfies Record<string, CallSchemas>
