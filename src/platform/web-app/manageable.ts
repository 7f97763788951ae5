import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { AppRecord } from '../apps/app-record.js'
import { currentInstallation } from '../apps/installations.js'
import { findApp } from '../apps/manifest.js'
import { managedBy, mayManage } from '../organizations/management.js'
import type { OrganizationRecord } from '../organizations/organization-record.js'
import type { UserRecord } from '../organizations/user-record.js'
import type { SignedIn } from './sessions.js'

/** Returns the app that an address names. @throws Refusal 404 */
export function appAt(world: Pick<World, 'store'>, idOrClientId: string): AppRecord {
  const app = findApp(world, idOrClientId)
  if (app) return app
  throw new Refusal('not_found', { message: `There is no app "${idOrClientId}".` })
}

/** Returns an organization that the person manages. @throws Refusal 404 and 403 */
export function findManaged(world: Pick<World, 'store'>, { user }: SignedIn, slug: string): OrganizationRecord {
  const organization = world.store.organizations.get(slug)
  if (!organization) throw new Refusal('not_found', { message: `There is no organization "${slug}".` })
  if (mayManage(world, user, slug)) return organization
  throw new Refusal('forbidden', {
    message: `Only owners and admins of ${organization.name} can do this.`,
    reason: `The user ${user.email} is neither owner nor admin of ${slug}`,
  })
}

/** Returns the organizations that a user manages and where an app is not installed. */
export const installTargets = (world: Pick<World, 'store'>, user: UserRecord, app: AppRecord): OrganizationRecord[] =>
  managedBy(world, user).filter(({ id }) => !currentInstallation(world, app.id, id))
