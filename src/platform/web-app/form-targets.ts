import type { World } from '../../emulator/world/world.js'
import type { AppRecord } from '../apps/app-record.js'
import { newestManifest } from '../apps/manifest.js'
import type { Manifest } from '../apps/manifest-schema.js'
import { countingManifests, redirectUrisOf } from '../oauth/redirect-uris.js'

/** The addresses of an app that a form may redirect to: its callbacks and its post-install page. */
export function targetsOf(world: Pick<World, 'store'>, app: AppRecord): string[] {
  const manifests: Manifest[] = [...countingManifests(world, app), newestManifest(app)]
  const landings = manifests.flatMap(({ post_install_action }) => post_install_action?.url ?? [])
  return [...new Set([...redirectUrisOf(manifests), ...landings])]
}

/** The targets of the app that a path of ours is about, when signing in leads back to a request to authorize. */
export function callbacksOf(world: Pick<World, 'store'>, path: string): string[] {
  const { pathname, searchParams } = new URL(path, 'http://web-app.invalid')
  const app = pathname === '/oauth/authorize' && world.store.apps.by('client_id', searchParams.get('client_id') ?? '')
  return app ? targetsOf(world, app) : []
}
