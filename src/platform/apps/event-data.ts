import type { World } from '../../emulator/world/world.js'
import { presentPair, type TokenPair } from '../authentication/tokens.js'
import { deletedUser } from '../organizations/organizations.js'
import type { InstallationRecord } from './installation-record.js'
import { installedManifest } from './manifest.js'

/** Returns the tokens of an installation as an app gets them. wire: §7 "app.installed data" */
export function presentCredentials(world: Pick<World, 'clock' | 'store'>, pair: TokenPair) {
  const { access_token, refresh_token, token_type, expires_in, scope } = presentPair(world, pair)
  const client_id = world.store.apps.get(pair.access.app)?.client_id ?? ''
  return { client_id, access_token, refresh_token, token_type, expires_in, expires_at: pair.access.expires_at, scope }
}

/**
 * wire: §7 "app.installed data"
 * @param installation one that has an installer. spec: §6
 * @param pair the tokens that were minted; null without `oauth.install`.
 */
export function installedData(
  world: Pick<World, 'clock' | 'store'>,
  installation: InstallationRecord,
  pair: TokenPair | null,
) {
  const installer = installation.installer as string
  const { id, email, full_name } = world.store.users.get(installer) ?? deletedUser(installer)
  return {
    ...uninstalledData(world, installation),
    installer: { id, email, full_name },
    ...(pair && { credentials: presentCredentials(world, pair) }),
  }
}

/** wire: §7 "app.uninstalled data" */
export function uninstalledData(world: Pick<World, 'store'>, { app, organization, version }: InstallationRecord) {
  return {
    organization: { id: organization, name: world.store.organizations.get(organization)?.name ?? organization },
    app: { id: app, name: installedManifest(world, { app, version })?.name ?? app, version },
  }
}
