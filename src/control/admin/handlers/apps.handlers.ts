import type { Warning } from '../../../emulator/world/exchange.js'
import type { AppRecord } from '../../../platform/apps/app-record.js'
import { createApp, deleteApp, pushManifest } from '../../../platform/apps/apps.js'
import { manifestWarnings, newestManifest } from '../../../platform/apps/manifest.js'
import type { Manifest } from '../../../platform/apps/manifest-schema.js'
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

/** What the platform would refuse, for the answer and for the journal. wire: §7 "plain http" */
function warningsOf(manifest: Manifest, warn: (warning: Warning) => void, prefix = '') {
  const warnings = manifestWarnings(manifest).map(({ path, message }) => ({ path: prefix + path, message }))
  for (const warning of warnings) warn({ code: 'manifest_refused_by_platform', ...warning })
  return warnings.length > 0 ? { warnings } : {}
}

/** control-api: "Organizations, users, apps" */
export const appHandlers: Handlers<keyof typeof appSchemas> = {
  listApps: (world) => [...world.store.apps.all].map(presentApp),
  createApp(world, { body, warn }) {
    const app = createApp(world, body)
    const warned = warningsOf(body.manifest, warn, 'manifest.')
    return { ...presentApp(app), client_secret: app.client_secret, ...warned }
  },
  getApp: (world, { params }) => presentApp(appOf(world, params.app)),
  deleteApp(world, { params }) {
    const app = appOf(world, params.app)
    deleteApp(world, app)
    return presentApp(app)
  },
  pushManifest(world, input) {
    const existing = appOf(world, input.params.app)
    const { body, warn } = input
    const app = pushManifest(world, existing, body)
    return { ...presentApp(app), ...warningsOf(body, warn) }
  },
}
