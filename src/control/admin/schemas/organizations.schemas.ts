import * as z from 'zod'
import { roles } from '../../../platform/organizations/roles.js'
import type { CallSchemas } from '../call.js'
import { strict } from '../schema-parts.js'

const member = z.object({ user: z.string(), email: z.string(), role: z.enum(roles) }).meta({ id: 'Member' })

const organization = z
  .object({
    slug: z.string(),
    name: z.string(),
    created_at: z.string(),
    members: z.array(member),
    api_key_last_four: z.string().nullable(),
    counts: z.record(z.string(), z.int()),
  })
  .meta({ id: 'Organization' })

const slug = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')

/** control-api: "Organizations, users, apps" */
export const organizationSchemas = {
  listOrganizations: { answer: organization },
  createOrganization: { body: strict({ slug, name: z.string().min(1) }), answer: organization },
  getOrganization: { answer: organization },
  deleteOrganization: { answer: organization },
  generateApiKey: { answer: z.object({ api_key: z.string() }) },
  putMember: { body: strict({ role: z.enum(roles) }), answer: member },
  deleteMember: { answer: member },
} as const satisfies Record<string, CallSchemas>
