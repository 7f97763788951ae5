import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import type { Warning } from '../../foundation/schema/issue.js'
import { byPrecedence } from '../../foundation/schema/newest-version.js'
import * as words from '../../foundation/schema/schema-words.js'
import { type AppRecord, appCredentials } from '../../platform/apps/app-record.js'
import { createApp, deleteApp, pushManifest } from '../../platform/apps/apps.js'
import { manifestWarnings, newestManifest } from '../../platform/apps/manifest.js'
import { type Manifest, manifestSchema } from '../../platform/apps/manifest-schema.js'
import { chapter, project, shape } from './call.js'
import { appOf } from './named-records.js'

const call = chapter('Organizations, users, apps')

const manifest = manifestSchema([]).meta({ id: 'Manifest', description: 'The manifest of an app version' })

/** A manifest in a response. Its own schema would have another name there, since it fills in a default. */
export const shownManifest = z
  .unknown()
  .meta({ override: { $ref: '#/components/schemas/Manifest' } }) as unknown as z.ZodType<Manifest, Manifest>

const app = shape('App', 'An app, with its versions', {
  id: z.string().describe("The manifest's id"),
  client_id: z.string(),
  name: z.string(),
  versions: z
    .array(z.object({ version: z.string(), manifest: shownManifest, pushed_at: z.string() }))
    .describe('By semver precedence, the newest last'),
})

/** control-api: "Shapes", app. Its name is the newest manifest's. */
const presentApp = (record: AppRecord) =>
  project(app, {
    ...record,
    name: newestManifest(record).name,
    versions: record.versions.toSorted(byPrecedence),
  })

const secrets = shape('AppSecrets', 'The client secret and the signing secret of an app', {
  client_secret: z.string(),
  signing_secret: z.string(),
})

const warnings = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .describe('Unknown members, and values that the platform would reject; omitted when there are none')

/** Lists the warnings about a manifest, for the response and for the journal. wire: §7 "plain http" */
function warningsOf(manifest: Manifest, warn: (warning: Warning) => void, prefix = '') {
  const found = manifestWarnings(manifest).map((warning) => ({ ...warning, path: prefix + warning.path }))
  for (const warning of found) warn(warning)
  return found.length > 0 ? { warnings: found.map(({ path, message }) => ({ path, message })) } : {}
}

const manifestIn = ({ settings }: Pick<World, 'settings'>) => manifestSchema(settings.trust_hosts)

const newApp = <S extends typeof manifest>(manifest: S) => z.strictObject({ manifest, ...appCredentials(words) })

const shows = ['id', 'name', 'client_id']

export const appCalls = {
  listApps: call('GET', '/_admin/apps', {
    summary: 'List the apps',
    command: { line: 'apps list', shows },
    list: true,
    response: app,
    handler: (world) => Array.from(world.store.apps.all, presentApp),
  }),
  createApp: call('POST', '/_admin/apps', {
    summary: 'Create an app; the response has its secrets',
    status: 201,
    body: newApp(manifest),
    bodyIn: (world) => newApp(manifestIn(world)),
    response: app
      .extend({ ...secrets.shape, warnings })
      .meta({ id: 'CreatedApp', description: 'A new app, with its secrets' }),
    handler(world, { body, warn }) {
      const created = createApp(world, body)
      const warned = warningsOf(body.manifest, warn, 'manifest.')
      return { ...presentApp(created), ...project(secrets, created), ...warned }
    },
  }),
  getApp: call('GET', '/_admin/apps/:app', {
    summary: 'Show an app with its versions',
    command: { line: 'apps show <app>', shows: 'json' },
    response: app,
    find: (world, { app }) => appOf(world, app),
    handler: (_, { found }) => presentApp(found),
  }),
  getAppSecrets: call('GET', '/_admin/apps/:app/secrets', {
    summary: "Show an app's client secret and signing secret",
    response: secrets,
    find: (world, { app }) => appOf(world, app),
    handler: (_, { found }) => project(secrets, found),
  }),
  deleteApp: call('DELETE', '/_admin/apps/:app', {
    summary: 'Delete an app with its installations',
    command: { line: 'apps delete <app>', shows },
    response: app,
    find: (world, { app }) => appOf(world, app),
    handler(world, { found }) {
      deleteApp(world, found)
      return presentApp(found)
    },
  }),
  pushManifest: call('PUT', '/_admin/apps/:app/manifest', {
    summary: 'Push a manifest: add a version, or replace an existing one',
    body: manifest,
    bodyIn: manifestIn,
    response: app.extend({ warnings }).meta({ id: 'PushedApp', description: 'An app after a push' }),
    find: (world, { app }) => appOf(world, app),
    handler(world, { found, body, warn }) {
      const pushed = pushManifest(world, found, body)
      return { ...presentApp(pushed), ...warningsOf(body, warn) }
    },
  }),
}
