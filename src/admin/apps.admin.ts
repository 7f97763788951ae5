import * as z from 'zod'
import type { AppRecord } from '../apps/app-record.js'
import { createApp, deleteApp, pushManifest } from '../apps/apps.js'
import { type Manifest, manifestSchema, manifestWarnings, newestManifest } from '../apps/manifest.js'
import type { Response } from '../http/response.js'
import { type Route, route } from '../http/route.js'
import type { Warning } from '../world/exchange.js'
import { bodyOf, created, list, ok, strict } from './answer.js'
import { appOf } from './named-records.js'

const source = 'control-api: Organizations, users, apps'

export const appShape = z.object({
  id: z.string(),
  client_id: z.string(),
  name: z.string(),
  signing_secret: z.string(),
  versions: z.array(
    z.object({ version: z.string(), manifest: z.record(z.string(), z.unknown()), pushed_at: z.string() }),
  ),
})

/** control-api: "Shapes", app. Its name is the newest manifest's. */
export const presentApp = (app: AppRecord): z.output<typeof appShape> => ({
  id: app.id,
  client_id: app.client_id,
  name: newestManifest(app).name,
  signing_secret: app.signing_secret,
  versions: app.versions,
})

const secret = z.string().min(1)

export const appRequest = (trustHosts: string[]) =>
  strict({
    manifest: manifestSchema(trustHosts),
    client_id: secret.optional(),
    client_secret: secret.optional(),
    signing_secret: secret.optional(),
  })

/** Tells the developer, in the journal, what the platform would refuse. wire: §7 "plain http" */
const withWarnings = (reply: Response, manifest: Manifest, prefix = ''): Response => {
  const warnings = manifestWarnings(manifest).map(
    ({ path, message }): Warning => ({ code: 'manifest_refused_by_platform', path: prefix + path, message }),
  )
  return { ...reply, notes: { warnings } }
}

/** control-api: "Organizations, users, apps" */
export const appRoutes: Route[] = [
  route(
    'GET',
    '/_admin/apps',
    { id: 'listApps', summary: 'Apps', source, answer: z.object({ data: z.array(appShape) }) },
    (world) => list([...world.store.apps.all].map(presentApp)),
  ),
  route(
    'POST',
    '/_admin/apps',
    {
      id: 'createApp',
      summary: 'Create an app; its client secret is in this answer only',
      source,
      body: appRequest([]),
      answer: appShape.extend({ client_secret: z.string() }),
      status: 201,
    },
    (world, request) => {
      const body = bodyOf(request, appRequest(world.settings.trust_hosts))
      const app = createApp(world, body)
      const reply = created({ ...presentApp(app), client_secret: app.client_secret })
      return withWarnings(reply, body.manifest, 'manifest.')
    },
  ),
  route('GET', '/_admin/apps/:id', { id: 'getApp', summary: 'One app', source, answer: appShape }, (world, request) =>
    ok(presentApp(appOf(world, request.params.id))),
  ),
  route(
    'DELETE',
    '/_admin/apps/:id',
    { id: 'deleteApp', summary: 'Delete an app with its installations', source, answer: appShape },
    (world, request) => {
      const app = appOf(world, request.params.id)
      deleteApp(world, app)
      return ok(presentApp(app))
    },
  ),
  route(
    'PUT',
    '/_admin/apps/:id/manifest',
    { id: 'pushManifest', summary: 'Push a manifest', source, body: manifestSchema([]), answer: appShape },
    (world, request) => {
      const app = appOf(world, request.params.id)
      const manifest = bodyOf(request, manifestSchema(world.settings.trust_hosts))
      return withWarnings(ok(presentApp(pushManifest(world, app, manifest))), manifest)
    },
  ),
]
