import type { World } from '../../emulator/world/world.js'
import type { OrganizationRecord } from './organization-record.js'
import { managingRoles } from './roles.js'
import type { UserRecord } from './user-record.js'

/** Whether a user may install apps in an organization and change its API key: its owners and admins may. */
export function mayManage(world: World, user: Pick<UserRecord, 'id'>, organization: string): boolean {
  const role = world.store.memberships.get(`${organization}/${user.id}`)?.role
  return role !== undefined && managingRoles.includes(role)
}

/** The organizations that a user manages, in the order in which they joined them. */
export const managedBy = (world: World, user: UserRecord): OrganizationRecord[] =>
  [...world.store.memberships.in('user', user.id)]
    .filter(({ organization }) => mayManage(world, user, organization))
    .flatMap(({ organization }) => world.store.organizations.get(organization) ?? [])
