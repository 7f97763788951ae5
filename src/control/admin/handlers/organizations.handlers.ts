import type { World } from '../../../emulator/world/world.js'
import type { OrganizationRecord } from '../../../platform/organizations/organization-record.js'
import {
  addOrganization,
  deleteOrganization,
  regenerateApiKey,
  removeMember,
} from '../../../platform/organizations/organizations.js'
import type { Role } from '../../../platform/organizations/roles.js'
import type { CallResult, Handlers } from '../call-types.js'
import type { organizationSchemas } from '../schemas/organizations.schemas.js'
import { organizationOf, userOf } from './named-records.js'
import { noSuch } from './no-such.js'

function presentOrganization(world: World, organization: OrganizationRecord): CallResult<'getOrganization'> {
  const { id, name, created_at, api_key } = organization
  const { store } = world
  const members = [...store.memberships.in('organization', id)].map(({ user, role }) =>
    presentMembership(world, user, role),
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

const presentMembership = (world: World, user: string, role: Role): CallResult<'putMember'> => ({
  user,
  email: world.store.users.get(user)?.email ?? '',
  role,
})

/** control-api: "Organizations, users, apps" */
export const organizationHandlers: Handlers<keyof typeof organizationSchemas> = {
  listOrganizations: (world) => [...world.store.organizations.all].map((each) => presentOrganization(world, each)),
  createOrganization: (world, { body: { slug, name } }) =>
    presentOrganization(world, addOrganization(world, slug, name)),
  getOrganization: (world, { params }) => presentOrganization(world, organizationOf(world, params.slug)),
  deleteOrganization(world, { params }) {
    const organization = organizationOf(world, params.slug)
    const shown = presentOrganization(world, organization)
    deleteOrganization(world, organization)
    return shown
  },
  generateApiKey: (world, { params }) => ({ api_key: regenerateApiKey(world, organizationOf(world, params.slug)) }),
  putMember(world, input) {
    const organization = organizationOf(world, input.params.slug)
    const user = userOf(world, input.params.user)
    const { role } = input.body
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
    return presentMembership(world, user.id, role)
  },
  deleteMember(world, { params }) {
    const organization = organizationOf(world, params.slug)
    const user = userOf(world, params.user)
    const membership = world.store.memberships.get(`${organization.id}/${user.id}`)
    if (!membership) {
      const members = presentOrganization(world, organization).members.map(({ email }) => email)
      throw noSuch(`member of ${organization.id}`, params.user, members)
    }
    removeMember(world, organization.id, user.id)
    return presentMembership(world, user.id, membership.role)
  },
}
