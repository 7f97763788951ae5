import * as z from 'zod'
import { createRedactor } from '../../emulator/journal/known-secrets.js'
import type { World } from '../../emulator/world/world.js'
import { installationStates } from '../../platform/apps/installation-record.js'
import { type InstallResult, install, uninstall, upgrade } from '../../platform/apps/installations.js'
import { credentials } from '../../platform/webhooks/event-schemas.js'
import { type Column, chapter, project, shape } from './call.js'
import { appOf, installationOf, matches, organizationOf, resolveNames, userOf } from './named-records.js'
import { presentDelivery } from './stream-shapes.js'
import { delivery } from './webhooks.calls.js'

const call = chapter('Installations')

const installation = shape('Installation', 'An installation of an app in an organization', {
  id: z.string(),
  app: z.string().describe('Manifest id'),
  organization: z.string(),
  version: z.string(),
  installer: z.string().nullable().describe('User id'),
  state: z.enum(installationStates),
  scope: z.string(),
  installed_at: z.string(),
  ended_at: z.string().nullable(),
})

export const installed = shape(
  'InstalledApp',
  'An installation that was just made or upgraded, with its tokens and its webhook',
  {
    installation,
    delivery: delivery.nullable().describe('Null when the manifest has no webhook'),
    redirect_url: z.string().nullable().describe('Null when the manifest has no post_install_action'),
    credentials: credentials.nullable().describe('Null when the manifest has no oauth.install'),
  },
)

const presentChange = (world: World, change: Pick<InstallResult, 'installation' | 'delivery'>) => ({
  installation: project(installation, change.installation),
  delivery: change.delivery && presentDelivery(world, change.delivery, createRedactor(world)),
})

export const presentInstall = (world: World, { redirect_url, credentials, ...change }: InstallResult) => ({
  ...presentChange(world, change),
  redirect_url,
  credentials,
})

const version = z.string().optional().describe('Version; the newest when left out')

const installColumns: Column[] = [
  'installation.id',
  'installation.version',
  'installation.state',
  'installation.scope',
  'delivery.state',
  ['delivery.error', 'delivery.attempts.-1.error'],
  'redirect_url',
  'credentials.access_token',
  'credentials.refresh_token',
]

export const installationCalls = {
  listInstallations: call('GET', '/_admin/installations', {
    summary: 'List the installations, ended ones too',
    command: {
      line: 'installations list',
      example: '--app notes --state installed',
      shows: ['id', 'app', 'organization', 'version', 'state', 'installed_at', 'scope'],
    },
    list: true,
    query: z.strictObject({
      app: z.string().optional().describe('Manifest id or client id'),
      organization: z.string().optional().describe('Slug'),
      state: z.enum(installationStates).optional().describe('State of the installation'),
    }),
    response: installation,
    handler(world, { query }) {
      const wanted = resolveNames(world, query)
      const found = [...world.store.installations.all].filter((each) => matches(each, wanted))
      return found.map((each) => project(installation, each))
    },
  }),
  install: call('POST', '/_admin/installations', {
    summary: 'Install an app; waits for the acknowledgement of its webhook',
    command: { line: 'install <app> <organization>', example: 'notes acme --no-announce', shows: installColumns },
    note: 'Sends the signed webhook app.installed, unless announce is false. The delivery in the result shows how the app responded.',
    status: 201,
    body: z.strictObject({
      app: z.string().describe('Manifest id or client id'),
      organization: z.string().describe('Slug'),
      installer: z.string().optional().describe("A user's id or email; the first owner when left out"),
      version,
      announce: z.boolean().default(true).describe('Send the webhook app.installed'),
    }),
    response: installed,
    async handler(world, { body: { version, announce, ...names } }) {
      const app = appOf(world, names.app)
      const organization = organizationOf(world, names.organization).id
      const installer = names.installer === undefined ? null : userOf(world, names.installer).id
      return presentInstall(world, await install(world, { app, organization, installer, version, announce }))
    },
  }),
  getInstallation: call('GET', '/_admin/installations/:id', {
    summary: 'Show an installation',
    command: { line: 'installations show <id>' },
    response: installation,
    find: (world, { id }) => installationOf(world, id),
    handler: (_, { found }) => project(installation, found),
  }),
  upgrade: call('POST', '/_admin/installations/:id/upgrade', {
    summary: 'Upgrade an app to its newest or another version',
    loses: true,
    status: 201,
    bodyOptional: true,
    argument: 'version',
    body: z.strictObject({ version }),
    response: installed,
    find: (world, { id }) => installationOf(world, id),
    handler: async (world, { found, body }) => presentInstall(world, await upgrade(world, found, body.version)),
  }),
  uninstall: call('DELETE', '/_admin/installations/:id', {
    summary: 'Uninstall an app; waits for the first attempt of its webhook',
    response: shape('UninstalledApp', 'An installation that was just removed, with its webhook', {
      installation,
      delivery: delivery.nullable(),
    }),
    find: (world, { id }) => installationOf(world, id),
    handler: async (world, { found }) => presentChange(world, await uninstall(world, found)),
  }),
}
