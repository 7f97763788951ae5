import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { documentId } from '../../foundation/schema/schema-words.js'
import type { OrganizationRecord } from '../../platform/organizations/organization-record.js'
import {
  addOrganization,
  deleteOrganization,
  regenerateApiKey,
  removeMember,
} from '../../platform/organizations/organizations.js'
import { type Role, roles } from '../../platform/organizations/roles.js'
import { endSandbox } from '../sandboxes/end-sandbox.js'
import { chapter, shape } from './call.js'
import { organizationOf, rejectName, userOf } from './named-records.js'

const call = chapter('Organizations, users, apps')

const member = shape('Member', 'A member of an organization', {
  user: z.string(),
  email: z.string(),
  role: z.enum(roles),
})

const organization = shape('Organization', 'An organization, with its members', {
  slug: z.string(),
  name: z.string(),
  created_at: z.string(),
  members: z.array(member),
  api_key_last_four: z.string().nullable(),
  counts: z.record(z.string(), z.int()),
  run: z.string().optional().describe('The run of an audit or a sweep that made it'),
})

const presentMember = ({ store }: Pick<World, 'store'>, user: string, role: Role): z.input<typeof member> => ({
  user,
  email: store.users.get(user)?.email ?? '',
  role,
})

const counted = ['courses', 'modules', 'elements', 'activities', 'installations'] as const

function presentOrganization(world: Pick<World, 'store'>, record: OrganizationRecord): z.input<typeof organization> {
  const { store } = world
  const { id, name, created_at, api_key, run } = record
  const members = Array.from(store.memberships.in('organization', id), ({ user, role }) =>
    presentMember(world, user, role),
  )
  const parts = counted.map((kind) => [kind, store[kind].in('organization', id).size])
  const counts = { members: members.length, ...Object.fromEntries(parts) }
  return { slug: id, name, created_at, members, api_key_last_four: api_key?.slice(-4) ?? null, counts, run }
}

export const organizationCalls = {
  listOrganizations: call('GET', '/_admin/organizations', {
    summary: 'List the organizations',
    command: { line: 'organizations list', shows: ['slug', 'name', 'api_key_last_four', 'counts'] },
    list: true,
    response: organization,
    handler: (world) => Array.from(world.store.organizations.all, (each) => presentOrganization(world, each)),
  }),
  createOrganization: call('POST', '/_admin/organizations', {
    summary: 'Add an organization, without members and API key',
    status: 201,
    body: z.strictObject({ slug: documentId, name: z.string().min(1) }),
    response: organization,
    handler: (world, { body: { slug, name } }) => presentOrganization(world, addOrganization(world, slug, name)),
  }),
  getOrganization: call('GET', '/_admin/organizations/:slug', {
    summary: 'Show an organization with its members',
    command: { line: 'organizations show <organization>' },
    response: organization,
    find: (world, { slug }) => organizationOf(world, slug),
    handler: (world, { found }) => presentOrganization(world, found),
  }),
  deleteOrganization: call('DELETE', '/_admin/organizations/:slug', {
    summary: 'Delete an organization with everything in it',
    command: { line: 'organizations delete <organization>', shows: ['slug', 'name', 'counts'] },
    response: organization,
    find: (world, { slug }) => organizationOf(world, slug),
    handler(world, { found }) {
      const shown = presentOrganization(world, found)
      const sandbox = world.store.sandboxes.by('organization', found.id)
      if (sandbox) endSandbox(world, sandbox)
      else deleteOrganization(world, found)
      return shown
    },
  }),
  generateApiKey: call('POST', '/_admin/organizations/:slug/api-key', {
    summary: 'Generate or regenerate the API key; the old one stops at once',
    loses: true,
    response: z.object({ api_key: z.string() }),
    find: (world, { slug }) => organizationOf(world, slug),
    handler: (world, { found }) => ({ api_key: regenerateApiKey(world, found) }),
  }),
  putMember: call('PUT', '/_admin/organizations/:slug/members/:user', {
    summary: 'Make a user a member, or give a member another role',
    argument: 'role',
    body: z.strictObject({ role: z.enum(roles) }),
    response: member,
    find: (world, { slug, user }) => ({ organization: organizationOf(world, slug).id, user: userOf(world, user).id }),
    handler(world, { found: { organization, user }, body: { role } }) {
      const id = `${organization}/${user}`
      world.store.change((tx) => {
        const record = world.store.memberships.get(id) ?? {
          id,
          sequence: tx.next(),
          created_at: world.clock.timestamp(organization),
          organization,
          user,
        }
        tx.put('memberships', { ...record, role })
      })
      return presentMember(world, user, role)
    },
  }),
  deleteMember: call('DELETE', '/_admin/organizations/:slug/members/:user', {
    summary: 'Remove a user from an organization',
    command: { line: 'organizations remove-member <organization> <user>' },
    response: member,
    find: (world, { slug, user }) => ({ organization: organizationOf(world, slug), user: userOf(world, user).id }),
    handler(world, { params, found: { organization, user } }) {
      const membership = world.store.memberships.get(`${organization.id}/${user}`)
      if (!membership) {
        const emails = presentOrganization(world, organization).members.map(({ email }) => email)
        return rejectName(`member of ${organization.id}`, params.user, emails)
      }
      removeMember(world, organization.id, user)
      return presentMember(world, user, membership.role)
    },
  }),
}
