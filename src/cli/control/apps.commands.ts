import type { Arguments, CommandGroup } from '../command.js'
import { CommandFailure } from '../command-failure.js'
import { type Call, control, flagsOf, inPath, pick, subcontrol, textFlag } from './control-command.js'
import { readJsonFile } from './json-file.js'

const manifest = { type: 'string', describe: 'File with the manifest; - for standard input' } as const

const secrets = {
  client_id: textFlag('Client id, instead of a new one'),
  client_secret: textFlag('Client secret, instead of a new one'),
  signing_secret: textFlag('Signing secret, instead of a new one'),
}

/** control-api: "Organizations, users, apps" */
export const apps: CommandGroup = {
  subcommands: [
    subcontrol('list', 'List the apps', {
      call: () => ({ method: 'GET', path: '/_admin/apps' }),
      shows: ['id', 'name', 'client_id', 'signing_secret'],
    }),
    subcontrol('create <manifest>', 'Create an app; its client secret is shown this once', {
      operands: { manifest },
      flags: flagsOf(secrets),
      call: async ({ manifest, ...args }) => ({
        method: 'POST',
        path: '/_admin/apps',
        body: {
          manifest: await readJsonFile(String(manifest)),
          ...pick(args, Object.keys(secrets)),
        },
      }),
      shows: ['id', 'client_id', 'client_secret', 'signing_secret'],
    }),
    subcontrol('push <manifest>', 'Push a manifest: a new version, or the same one again', {
      operands: { manifest },
      async call({ manifest }) {
        const body = await readJsonFile(String(manifest))
        const { id } = body as { id?: unknown }
        return { method: 'PUT', path: `/_admin/apps/${inPath(id)}/manifest`, body }
      },
      shows: ['id', 'name', 'client_id'],
    }),
  ],
}

const operands = {
  app: { type: 'string', describe: 'Manifest id or client id' },
  organization: { type: 'string', describe: 'Slug' },
} as const
const appVersion = { 'app-version': textFlag('Version, instead of the newest') }

const outcome = [
  'installation.id',
  'installation.version',
  'installation.state',
  'installation.scope',
  'delivery.state',
  'redirect_url',
  'credentials.access_token',
  'credentials.refresh_token',
]

/** control-api: "Installations" */
export const install = control({
  operands,
  flags: {
    ...appVersion,
    installer: textFlag("User id or email, instead of the organization's first owner"),
    announce: { type: 'boolean', default: true, describe: 'Send app.installed (--no-announce: do not)' },
  },
  call: (args) => ({
    method: 'POST',
    path: '/_admin/installations',
    body: { ...pick(args, ['app', 'organization', 'installer', 'announce']), version: args['app-version'] },
  }),
  shows: outcome,
})

export const uninstall = control({
  operands,
  call: async (args, send) => ({
    method: 'DELETE',
    path: `/_admin/installations/${inPath(await current(args, send))}`,
  }),
  shows: ['installation.id', 'installation.state', 'delivery.state'],
})

export const upgrade = control({
  operands,
  flags: appVersion,
  call: async (args, send) => ({
    method: 'POST',
    path: `/_admin/installations/${inPath(await current(args, send))}/upgrade`,
    body: { version: args['app-version'] },
  }),
  shows: outcome,
})

/** The id of the app's installation in the organization. @throws CommandFailure 1 when it is not installed there. */
async function current(args: Arguments, send: (call: Call) => Promise<unknown>): Promise<string> {
  const query = { ...pick(args, ['app', 'organization']), state: 'installed' }
  const { data } = (await send({ method: 'GET', path: '/_admin/installations', query })) as { data: { id: string }[] }
  const [installation] = data
  if (installation) return installation.id
  throw new CommandFailure(1, `mockademy: ${args.app} is not installed in ${args.organization}`)
}
