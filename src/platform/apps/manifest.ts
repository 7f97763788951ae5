import type { World } from '../../emulator/world/world.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { Warning } from '../../foundation/schema/issue.js'
import { newestVersion } from '../../foundation/schema/newest-version.js'
import { permissionNames, scopesFor } from '../authentication/scopes.js'
import type { AppRecord } from './app-record.js'
import type { InstallationRecord } from './installation-record.js'
import type { Manifest } from './manifest-schema.js'
import { urlIssue } from './manifest-urls.js'

/** Returns the scopes of one grant that a manifest declares. spec: §5.3 */
export const manifestScopes = (manifest: Manifest, grant: 'install' | 'authorize') =>
  scopesFor(grant, permissionNames(manifest))

/** Returns the scopes of the tokens that an installation gets, separated by spaces; empty when it gets none. */
export const installScope = (manifest: Manifest): string =>
  manifest.oauth?.install === true ? manifestScopes(manifest, 'install').join(' ') : ''

/** Returns the manifest of the newest version. */
export const newestManifest = (app: AppRecord): Manifest =>
  (newestVersion(app.versions) as AppRecord['versions'][number]).manifest

export const manifestOf = (app: AppRecord, version: string): Manifest | undefined =>
  app.versions.find((candidate) => candidate.version === version)?.manifest

/** Returns the manifest that is in force where the app is installed. */
export function installedManifest(
  world: Pick<World, 'store'>,
  installation: Pick<InstallationRecord, 'app' | 'version'>,
): Manifest | undefined {
  const app = world.store.apps.get(installation.app)
  return app && manifestOf(app, installation.version)
}

/** The members that a manifest may have, by the object that they are in. wire: §7 "manifest" */
const knownMembers: Record<string, string[]> = {
  '': ['id', 'name', 'version', 'description', 'permissions', 'oauth', 'webhook', 'post_install_action'],
  'oauth.': ['install', 'authorize'],
  'oauth.authorize.': ['redirect_uris'],
  'webhook.': ['url', 'events'],
  'post_install_action.': ['type', 'url'],
}
const permissionMembers = ['permission', 'purpose']

/** Returns a warning for each member that a manifest should not have. One whose name begins with `$` is an editor's. */
function unknownMembers(part: unknown, object = '', prefix = ''): Warning[] {
  const known = object === 'permissions.' ? permissionMembers : knownMembers[object]
  if (Array.isArray(part)) return part.flatMap((item, index) => unknownMembers(item, object, `${prefix}${index}.`))
  if (!known || !isObject(part)) return []
  return Object.entries(part).flatMap(([name, inner]) => {
    if (known.includes(name)) return unknownMembers(inner, `${object}${name}.`, `${prefix}${name}.`)
    if (name.startsWith('$')) return []
    const elsewhere = Object.keys(knownMembers).find((other) => knownMembers[other]?.includes(name))
    const nearest = elsewhere === undefined ? didYouMean(name, known) : `; did you mean "${elsewhere}${name}"?`
    const message = `is not a known member, and has no effect${nearest}`
    return { code: 'unknown_manifest_member', path: prefix + name, message }
  })
}

/**
 * Returns warnings for unknown members of a manifest, which are kept, and for parts that the emulator accepts and the
 * platform would reject. wire: §7 "manifest", "plain http"
 */
export function manifestWarnings(manifest: Manifest): Warning[] {
  const { oauth, post_install_action } = manifest
  const redirects: [string, string][] = (oauth?.authorize?.redirect_uris ?? []).map((uri, index) => [
    `oauth.authorize.redirect_uris.${index}`,
    uri,
  ])
  if (post_install_action) redirects.push(['post_install_action.url', post_install_action.url])
  const refused = redirects
    .filter(([, uri]) => urlIssue(uri, { fragment: true }) !== undefined)
    .map(([path]) => ({
      code: 'manifest_refused_by_platform',
      path,
      message: 'the platform rejects plain http here, except for loopback hosts',
    }))
  return [...unknownMembers(manifest), ...refused]
}

/** Returns the same for every version of every app, as sentences. */
export const worldManifestWarnings = (world: Pick<World, 'store'>): string[] =>
  [...world.store.apps.all].flatMap((app) =>
    app.versions.flatMap((version) =>
      manifestWarnings(version.manifest).map(
        ({ path, message }) => `${app.id} ${version.version}, ${path}: ${message}`,
      ),
    ),
  )

export const findApp = (world: Pick<World, 'store'>, idOrClientId: string): AppRecord | undefined =>
  world.store.apps.get(idOrClientId) ?? world.store.apps.by('client_id', idOrClientId)
