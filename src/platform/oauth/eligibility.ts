import type { World } from '../../emulator/world/world.js'
import { byCreation } from '../../foundation/store/collection.js'
import type { AppRecord } from '../apps/app-record.js'
import { currentInstallation } from '../apps/installations.js'
import type { UserRecord } from '../organizations/user-record.js'

/**
 * The installations of an app in a user's organizations, oldest first. spec: §3
 * @param pinned the slug that the request pins the flow to; null when it does not.
 */
export function qualifying(world: Pick<World, 'store'>, app: AppRecord, user: UserRecord, pinned: string | null) {
  const { memberships } = world.store
  const joined = pinned === null ? memberships.in('user', user.id) : [memberships.get(`${pinned}/${user.id}`)]
  return [...joined]
    .flatMap((membership) => membership ?? [])
    .flatMap(({ organization }) => currentInstallation(world, app.id, organization) ?? [])
    .sort(byCreation)
}
