import type { Column } from '../../../control/admin/call.js'
import { callTable } from '../../../control/admin/call-table.js'
import { AdminError } from '../../../control/client/errors.js'
import { environmentFor } from '../../../control/start/environment.js'
import { type EnvironmentSource, variableLines } from '../../../control/start/environment-variables.js'
import { shellQuoted } from '../../../emulator/world/shell-quoted.js'
import { visible } from '../../reports/visible.js'
import { type Arguments, type CommandGroup, failure, flag, wrongUse } from '../command/command.js'
import { readJsonFile } from '../files/json-file.js'
import { type CallByName, commandOf, control, flagsOfCall, inputOf, presented, subcontrol } from './control-command.js'

const manifest = { type: 'string', describe: 'File with the manifest; - for standard input' } as const
const app = { type: 'string', describe: 'Manifest id or client id' } as const

/** control-api: "Organizations, users, apps" */
export const appsCommand: CommandGroup = {
  subcommands: [
    commandOf('listApps'),
    commandOf('getApp'),
    subcontrol('create <manifest>', 'Create an app; print its variables, with its secrets', {
      operands: { manifest },
      flags: flagsOfCall('createApp'),
      example: 'manifest.json --client-secret dev_secret',
      calls: ['createApp'],
      async request(call, { manifest, ...args }) {
        const { body } = inputOf('createApp', args)
        const created = await call('createApp', { body: { ...body, manifest: await readJsonFile(String(manifest)) } })
        return withWarnings(created, args)
      },
      print: async (result) =>
        `${presented(result, ['id', 'warnings'])}\n\n${variableLines(await environmentFor(result as EnvironmentSource))}`,
    }),
    subcontrol('push <manifest>', 'Push a manifest: add a version, or replace an existing one', {
      operands: { manifest },
      flags: { app: flag.text('Manifest id or client id, instead of the id in the manifest') },
      example: 'manifest.json',
      calls: ['pushManifest'],
      async request(call, { manifest, app, ...args }) {
        const body = await readJsonFile(String(manifest))
        const id = app ?? (body as { id?: unknown }).id
        if (typeof id === 'string') {
          const pushing = call('pushManifest', { params: { app: id }, body })
          return withWarnings(await pushing.catch((error: unknown) => failed(error, String(manifest))), args)
        }
        throw wrongUse(`${manifest}: id: is required: a string`)
      },
      shows: ['id', 'name', 'client_id', 'warnings'],
    }),
    commandOf('deleteApp'),
  ],
}

/** @throws CommandFailure that names `apps create` when there is no such app, and the error otherwise. */
function failed(error: unknown, manifest: string): never {
  if (!(error instanceof AdminError && error.status === 404)) throw error
  throw failure(visible(`${error.message}. To create it: mockademy apps create ${shellQuoted(manifest)}`))
}

function withWarnings(result: unknown, { json }: Arguments): unknown {
  const { warnings = [], ...app } = result as { warnings?: { path: string; message: string }[] }
  if (json) return result
  return { ...app, warnings: warnings.map(({ path, message }) => `${path}: ${message}`).join('; ') || 'none' }
}

const operands = { app, organization: { type: 'string', describe: 'Slug' } } as const
/** control-api: "Installations" */
export const uninstallCommand = control({
  operands,
  example: 'notes acme',
  calls: ['uninstall', 'listInstallations'],
  request: async (call, args) => call('uninstall', { params: { id: await currentInstallationId(call, args) } }),
  shows: ['installation.id', 'installation.state', 'delivery.state', ['delivery.error', 'delivery.attempts.-1.error']],
})

export const upgradeCommand = control({
  operands,
  flags: flagsOfCall('upgrade'),
  example: 'notes acme --app-version 2.0.0',
  calls: ['upgrade', 'listInstallations'],
  request: async (call, args) =>
    call('upgrade', { params: { id: await currentInstallationId(call, args) }, ...inputOf('upgrade', args) }),
  shows: callTable.install.command?.shows as Column[],
})

/** Finds the installation of `--app` in `--organization`. @throws CommandFailure 1 when it is not installed there. */
export async function currentInstallationId(call: CallByName, args: Arguments): Promise<string> {
  const { app, organization } = args
  const query = { app, organization, state: 'installed' }
  const [installation] = await call('listInstallations', { query })
  if (installation) return installation.id
  throw failure(`${app} is not installed in ${organization}`)
}
