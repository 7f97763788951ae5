import * as z from 'zod'
import { type Route, route } from '../http/route.js'
import { type Role, roles } from '../organizations/membership-record.js'
import type { OrganizationRecord } from '../organizations/organization-record.js'
import { addOrganization, deleteOrganization, regenerateApiKey, removeMember } from '../organizations/organizations.js'
import type { World } from '../world/world.js'
import { bodyOf, created, list, noSuch, ok, strict } from './answer.js'
import { organizationOf, userOf } from './named-records.js'

const source = 'control-api: Organizations, users, apps'

export const memberShape = z.object({ user: z.string(), email: z.string(), role: z.enum(roles) })

export const organizationShape = z.object({
  slug: z.string(),
  name: z.string(),
  created_at: z.string(),
  members: z.array(memberShape),
  api_key_last_four: z.string().nullable(),
  counts: z.record(z.string(), z.int()),
})

const slug = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')
export const organizationRequest = strict({ slug, name: z.string().min(1) })
export const memberRequest = strict({ role: z.enum(roles) })

function presentOrganization(world: World, organization: OrganizationRecord): z.input<typeof organizationShape> {
  const { id, name, created_at, api_key } = organization
  const { store } = world
  const members = [...store.memberships.in('organization', id)].map(({ user, role }) =>
    presentMember(world, user, role),
  )
  const counts = {
    members: members.length,
    courses: store.courses.in('organization', id).size,
    modules: store.modules.in('organization', id).size,
    elements: store.elements.in('organization', id).size,
    activities: store.activities.in('organization', id).size,
    installations: store.installations.in('organization', id).size,
  }
  return { slug: id, name, created_at, members, api_key_last_four: api_key?.slice(-4) ?? null, counts }
}

const presentMember = (world: World, user: string, role: Role): z.input<typeof memberShape> => ({
  user,
  email: world.store.users.get(user)?.email ?? '',
  role,
})

/** control-api: "Organizations, users, apps" */
export const organizationRoutes: Route[] = [
  route(
    'GET',
    '/_admin/organizations',
    {
      id: 'listOrganizations',
      summary: 'Organizations',
      source,
      answer: z.object({ data: z.array(organizationShape) }),
    },
    (world) => list([...world.store.organizations.all].map((organization) => presentOrganization(world, organization))),
  ),
  route(
    'POST',
    '/_admin/organizations',
    {
      id: 'createOrganization',
      summary: 'Add an organization',
      source,
      body: organizationRequest,
      answer: organizationShape,
      status: 201,
    },
    (world, request) => {
      const given = bodyOf(request, organizationRequest)
      return created(presentOrganization(world, addOrganization(world, given.slug, given.name)))
    },
  ),
  route(
    'GET',
    '/_admin/organizations/:slug',
    { id: 'getOrganization', summary: 'An organization', source, answer: organizationShape },
    (world, request) => ok(presentOrganization(world, organizationOf(world, request.params.slug))),
  ),
  route(
    'DELETE',
    '/_admin/organizations/:slug',
    {
      id: 'deleteOrganization',
      summary: 'Take an organization away, with everything in it',
      source,
      answer: organizationShape,
    },
    (world, request) => {
      const organization = organizationOf(world, request.params.slug)
      const shown = presentOrganization(world, organization)
      deleteOrganization(world, organization)
      return ok(shown)
    },
  ),
  route(
    'POST',
    '/_admin/organizations/:slug/api-key',
    {
      id: 'generateApiKey',
      summary: 'Generate or regenerate the API key',
      source,
      answer: z.object({ api_key: z.string() }),
    },
    (world, request) => {
      const organization = organizationOf(world, request.params.slug)
      return ok({ api_key: regenerateApiKey(world, organization) })
    },
  ),
  route(
    'PUT',
    '/_admin/organizations/:slug/members/:user',
    {
      id: 'putMember',
      summary: 'Make a user a member, or give a member another role',
      source,
      body: memberRequest,
      answer: memberShape,
    },
    (world, request) => {
      const organization = organizationOf(world, request.params.slug)
      const user = userOf(world, request.params.user)
      const { role } = bodyOf(request, memberRequest)
      const id = `${organization.id}/${user.id}`
      world.store.change((tx) => {
        const record = world.store.memberships.get(id) ?? {
          id,
          sequence: tx.next(),
          created_at: world.clock.timestamp(),
          organization: organization.id,
          user: user.id,
        }
        tx.put('memberships', { ...record, role })
      })
      return ok(presentMember(world, user.id, role))
    },
  ),
  route(
    'DELETE',
    '/_admin/organizations/:slug/members/:user',
    { id: 'deleteMember', summary: 'Take a user out of an organization', source, answer: memberShape },
    (world, request) => {
      const organization = organizationOf(world, request.params.slug)
      const user = userOf(world, request.params.user)
      const membership = world.store.memberships.get(`${organization.id}/${user.id}`)
      if (!membership) {
        const members = presentOrganization(world, organization).members.map(({ email }) => email)
        throw noSuch(`member of ${organization.id}`, request.params.user, members)
      }
      removeMember(world, organization.id, user.id)
      return ok(presentMember(world, user.id, membership.role))
    },
  ),
]
