import type { World } from '../../emulator/world/world.js'
import { byCreation } from '../../foundation/store/collection.js'
import type { AppRecord } from '../apps/app-record.js'
import type { UserRecord } from '../organizations/user-record.js'

/**
 * The installations of an app in a user's organizations, oldest first.
 * @param pinned the slug that the request pins the flow to; null when it does not. spec: §3
 */
export function qualifying(world: Pick<World, 'store'>, app: AppRecord, user: UserRecord, pinned: string | null) {
  const slugs =
    pinned === null
      ? [...world.store.memberships.in('user', user.id)].map(({ organization }) => organization)
      : world.store.memberships.get(`${pinned}/${user.id}`)
        ? [pinned]
        : []
  return slugs.flatMap((slug) => world.store.installations.by('current', `${app.id}/${slug}`) ?? []).sort(byCreation)
}
