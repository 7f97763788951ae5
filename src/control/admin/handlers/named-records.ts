import type { World } from '../../../emulator/world/world.js'
import type { AppRecord } from '../../../platform/apps/app-record.js'
import type { InstallationRecord } from '../../../platform/apps/installation-record.js'
import { findApp } from '../../../platform/apps/manifest.js'
import type { OrganizationRecord } from '../../../platform/organizations/organization-record.js'
import { findUser } from '../../../platform/organizations/organizations.js'
import type { UserRecord } from '../../../platform/organizations/user-record.js'
import { noSuch } from './no-such.js'

// The records that control calls name, in paths, bodies and filters. Each is refused with 404, saying which exist.

/** The app of that manifest id or client id. @throws Refusal 404 */
export function appOf(world: World, name: string): AppRecord {
  const app = findApp(world, name)
  if (app) return app
  const ids = [...world.store.apps.all].map(({ id }) => id)
  throw noSuch('app', name, ids)
}

/** @throws Refusal 404 */
export function organizationOf(world: World, slug: string): OrganizationRecord {
  const organization = world.store.organizations.get(slug)
  if (organization) return organization
  const slugs = [...world.store.organizations.all].map(({ id }) => id)
  throw noSuch('organization', slug, slugs)
}

/** The user of that id or email. @throws Refusal 404 */
export function userOf(world: World, idOrEmail: string): UserRecord {
  const user = findUser(world, idOrEmail)
  if (user) return user
  const emails = [...world.store.users.all].map(({ email }) => email)
  throw noSuch('user', idOrEmail, emails)
}

/** @throws Refusal 404 */
export function installationOf(world: World, id: string): InstallationRecord {
  const installation = world.store.installations.get(id)
  if (installation) return installation
  const ids = [...world.store.installations.all].map((each) => each.id)
  throw noSuch('installation', id, ids)
}
