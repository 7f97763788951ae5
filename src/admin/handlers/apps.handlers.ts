import type { AppRecord } from '../../apps/app-record.js'
import { createApp, deleteApp, pushManifest } from '../../apps/apps.js'
import { type Manifest, manifestWarnings, newestManifest } from '../../apps/manifest.js'
import type { Warning } from '../../world/exchange.js'
import type { CallResult, Handlers } from '../call-types.js'
import type { appSchemas } from '../schemas/apps.schemas.js'
import { appOf } from './named-records.js'

/** control-api: "Shapes", app. Its name is the newest manifest's. */
const presentApp = (app: AppRecord): CallResult<'getApp'> => ({
  id: app.id,
  client_id: app.client_id,
  name: newestManifest(app).name,
  signing_secret: app.signing_secret,
  versions: app.versions,
})

/** Tells the developer, in the journal, what the platform would refuse. wire: §7 "plain http" */
function warnOf(manifest: Manifest, warn: (warning: Warning) => void, prefix = ''): void {
  for (const { path, message } of manifestWarnings(manifest)) {
    warn({ code: 'manifest_refused_by_platform', path: prefix + path, message })
  }
}

/** control-api: "Organizations, users, apps" */
export const appHandlers: Handlers<keyof typeof appSchemas> = {
  listApps: (world) => [...world.store.apps.all].map(presentApp),
  createApp(world, { body, warn }) {
    const app = createApp(world, body)
    warnOf(body.manifest, warn, 'manifest.')
    return { ...presentApp(app), client_secret: app.client_secret }
  },
  getApp: (world, { params }) => presentApp(appOf(world, params.app)),
  deleteApp(world, { params }) {
    const app = appOf(world, params.app)
    deleteApp(world, app)
    return presentApp(app)
  },
  pushManifest(world, { params, body, warn }) {
    const app = pushManifest(world, appOf(world, params.app), body)
    warnOf(body, warn)
    return presentApp(app)
  },
}
