import type { Arguments, CommandGroup } from '../command.js'
import { CommandFailure } from '../command-failure.js'
import { asJson, type CallByName, control, flagsOf, pick, subcontrol, textFlag } from './control-command.js'
import { readJsonFile } from './json-file.js'
import { type ShownDelivery, withLastError } from './last-error.js'

const manifest = { type: 'string', describe: 'File with the manifest; - for standard input' } as const
const app = { type: 'string', describe: 'Manifest id or client id' } as const

const secrets = {
  client_id: textFlag('Client id, instead of a new one'),
  client_secret: textFlag('Client secret, instead of a new one'),
  signing_secret: textFlag('Signing secret, instead of a new one'),
}

/** control-api: "Organizations, users, apps" */
export const appsCommand: CommandGroup = {
  subcommands: [
    subcontrol('list', 'List the apps', {
      calls: ['listApps'],
      shows: ['id', 'name', 'client_id', 'signing_secret'],
    }),
    subcontrol('show <app>', 'Show an app with its versions', {
      operands: { app },
      calls: ['getApp'],
      answer: (call, { app }) => call('getApp', { params: { app } }),
      print: asJson,
    }),
    subcontrol('create <manifest>', 'Create an app; its client secret is shown this once', {
      operands: { manifest },
      flags: flagsOf(secrets),
      example: 'manifest.json --client-secret dev_secret',
      calls: ['createApp'],
      async answer(call, { manifest, ...args }) {
        const body = { manifest: await readJsonFile(String(manifest)), ...pick(args, Object.keys(secrets)) }
        return withWarnings(await call('createApp', { body }), args)
      },
      shows: ['id', 'client_id', 'client_secret', 'signing_secret', 'warnings'],
    }),
    subcontrol('push <manifest>', 'Push a manifest: a new version, or the same one again', {
      operands: { manifest },
      flags: { app: textFlag('Manifest id or client id, instead of the id in the manifest') },
      example: 'manifest.json',
      calls: ['pushManifest'],
      async answer(call, { manifest, app, ...args }) {
        const body = await readJsonFile(String(manifest))
        const id = app ?? (body as { id?: unknown }).id
        if (typeof id === 'string') {
          return withWarnings(await call('pushManifest', { params: { app: id }, body }), args)
        }
        throw new CommandFailure(2, `mockademy: ${manifest}: id: is required: a string`)
      },
      shows: ['id', 'name', 'client_id', 'warnings'],
    }),
    subcontrol('delete <app>', 'Delete an app with its installations', {
      operands: { app },
      calls: ['deleteApp'],
      answer: (call, { app }) => call('deleteApp', { params: { app } }),
      shows: ['id', 'name', 'client_id'],
    }),
  ],
}

/** The warnings as text, unless the answer is printed as it is. */
function withWarnings(answer: unknown, { json }: Arguments): unknown {
  const { warnings = [], ...app } = answer as { warnings?: { path: string; message: string }[] }
  if (json) return answer
  return { ...app, warnings: warnings.map(({ path, message }) => `${path}: ${message}`).join('; ') || 'none' }
}

const operands = { app, organization: { type: 'string', describe: 'Slug' } } as const
const appVersion = { 'app-version': textFlag('Version, instead of the newest') }

const result = [
  'installation.id',
  'installation.version',
  'installation.state',
  'installation.scope',
  'delivery.state',
  'delivery.error',
  'redirect_url',
  'credentials.access_token',
  'credentials.refresh_token',
]

/** The answer to an install, with the error of its webhook where there was one. */
function withWebhookError(answer: unknown): unknown {
  const { delivery, ...rest } = answer as { delivery: ShownDelivery | null }
  return { ...rest, delivery: delivery && withLastError(delivery) }
}

/** control-api: "Installations" */
export const installCommand = control({
  operands,
  flags: {
    ...appVersion,
    installer: textFlag("User id or email, instead of the organization's first owner"),
    announce: { type: 'boolean', default: true, describe: 'Send app.installed (--no-announce: do not)' },
  },
  example: 'notes acme --no-announce',
  calls: ['install'],
  answer: async (call, args) =>
    withWebhookError(
      await call('install', {
        body: { ...pick(args, ['app', 'organization', 'installer', 'announce']), version: args['app-version'] },
      }),
    ),
  shows: result,
})

export const uninstallCommand = control({
  operands,
  example: 'notes acme',
  calls: ['uninstall', 'listInstallations'],
  answer: async (call, args) =>
    withWebhookError(await call('uninstall', { params: { id: await currentInstallationId(call, args) } })),
  shows: ['installation.id', 'installation.state', 'delivery.state', 'delivery.error'],
})

export const upgradeCommand = control({
  operands,
  flags: appVersion,
  example: 'notes acme --app-version 2.0.0',
  calls: ['upgrade', 'listInstallations'],
  answer: async (call, args) =>
    withWebhookError(
      await call('upgrade', {
        params: { id: await currentInstallationId(call, args) },
        body: { version: args['app-version'] },
      }),
    ),
  shows: result,
})

const installationFilters = {
  app: textFlag('Manifest id or client id'),
  organization: textFlag('Slug'),
  state: textFlag('installed, uninstalling, uninstalled or upgraded'),
}

export const installationsCommand: CommandGroup = {
  subcommands: [
    subcontrol('list', 'List the installations, ended ones too', {
      flags: installationFilters,
      example: '--app notes --state installed',
      calls: ['listInstallations'],
      answer: (call, args) => call('listInstallations', { query: pick(args, Object.keys(installationFilters)) }),
      shows: ['id', 'app', 'organization', 'version', 'state', 'installed_at', 'scope'],
    }),
    subcontrol('show <id>', 'Show an installation', {
      operands: { id: { type: 'string', describe: 'Id of an installation' } },
      calls: ['getInstallation'],
      answer: (call, { id }) => call('getInstallation', { params: { id } }),
    }),
  ],
}

/** The id of the app's installation in the organization. @throws CommandFailure 1 when it is not installed there. */
export async function currentInstallationId(call: CallByName, args: Arguments): Promise<string> {
  const query = { ...pick(args, ['app', 'organization']), state: 'installed' }
  const [installation] = (await call('listInstallations', { query })) as { id: string }[]
  if (installation) return installation.id
  throw new CommandFailure(1, `mockademy: ${args.app} is not installed in ${args.organization}`)
}
