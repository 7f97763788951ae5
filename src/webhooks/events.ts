import { installedManifest } from '../apps/manifest.js'
import { presentPair, type TokenPair } from '../oauth/tokens.js'
import type { InstallationRecord, UserRecord } from '../store/records.js'
import type { World } from '../world.js'

/** The events that the platform itself sends, and the setting that says how long an app has for each. spec: §6, wire: §7 */
const lifecycleEvents = {
  'app.installed': { window: 'ack_window' },
  'app.uninstalled': { window: 'attempt_timeout' },
} as const

export type LifecycleEvent = keyof typeof lifecycleEvents

export const isLifecycleEvent = (type: string): type is LifecycleEvent => Object.hasOwn(lifecycleEvents, type)

/** Real milliseconds that an attempt may take. wire: §7 "an attempt" */
export const attemptWindow = (world: World, type: string): number =>
  world.settings[isLifecycleEvent(type) ? lifecycleEvents[type].window : 'attempt_timeout']

/** The tokens of an installation as an app gets them. wire: §7 "app.installed data" */
export function presentCredentials(world: World, pair: TokenPair) {
  const { access_token, refresh_token, token_type, expires_in, scope } = presentPair(world, pair)
  const client_id = world.store.apps.get(pair.access.app)?.client_id ?? ''
  return { client_id, access_token, refresh_token, token_type, expires_in, expires_at: pair.access.expires_at, scope }
}

/** wire: §7 "app.installed data". @param pair the tokens that were minted; null without `oauth.install`. */
export function installedData(world: World, installation: InstallationRecord, pair: TokenPair | null) {
  const installer = installerOf(world, installation)
  return {
    ...uninstalledData(world, installation),
    installer: installer && { id: installer.id, email: installer.email, full_name: installer.full_name },
    ...(pair && { credentials: presentCredentials(world, pair) }),
  }
}

/** wire: §7 "app.uninstalled data" */
export function uninstalledData(world: World, { app, organization, version }: InstallationRecord) {
  return {
    organization: { id: organization, name: world.store.organizations.get(organization)?.name ?? organization },
    app: { id: app, name: installedManifest(world, { app, version })?.name ?? app, version },
  }
}

/** Who clicked Install; the first owner where nobody can be named. Null in an organization without owners. spec: §6 */
function installerOf(world: World, { installer, organization }: InstallationRecord): UserRecord | null {
  const user = installer === null ? undefined : world.store.users.get(installer)
  return user ?? firstOwner(world, organization) ?? null
}

/** The owner that an organization has had for longest. control-api: "Installations" */
export function firstOwner(world: World, organization: string): UserRecord | undefined {
  for (const { user, role } of world.store.memberships.in('organization', organization)) {
    if (role === 'owner') return world.store.users.get(user)
  }
  return undefined
}
