import type { World } from '../../emulator/world/world.js'
import type { OrganizationRecord } from './organization-record.js'
import { managingRoles } from './roles.js'
import type { UserRecord } from './user-record.js'

/** Returns true for the owners and admins of an organization: they may install apps and change its API key. */
export function mayManage(world: Pick<World, 'store'>, user: Pick<UserRecord, 'id'>, organization: string): boolean {
  const role = world.store.memberships.get(`${organization}/${user.id}`)?.role
  return role !== undefined && managingRoles.includes(role)
}

/** Returns the organizations that a user manages, in the order in which they joined them. */
export const managedBy = (world: Pick<World, 'store'>, user: UserRecord): OrganizationRecord[] =>
  [...world.store.memberships.in('user', user.id)]
    .filter(({ organization }) => mayManage(world, user, organization))
    .flatMap(({ organization }) => world.store.organizations.get(organization) ?? [])
