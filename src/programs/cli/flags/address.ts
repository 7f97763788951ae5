import type { Config } from '../../../control/start/config.js'
import { settingDefaults } from '../../../emulator/world/setting-table.js'
import { settingsFromEnvironment } from '../../../emulator/world/settings.js'
import { type Arguments, flag, wrongUse } from '../command/command.js'
import { configFlag, configFrom } from './emulator-options.js'

export const emulatorGroup = 'Emulator:'

/** Flags of every command that talks to a running emulator: see `addressOf`. */
export const addressFlags = {
  url: flag.text('Address of the emulator', {
    defaultDescription: `MOCKADEMY_URL, else by MOCKADEMY_PORT and MOCKADEMY_HTTPS or mockademy.json, else http://127.0.0.1:${settingDefaults.port}`,
    group: emulatorGroup,
  }),
  'admin-token': flag.text('Admin token of the emulator', {
    defaultDescription: 'MOCKADEMY_ADMIN_TOKEN, else admin_token in mockademy.json',
    group: emulatorGroup,
  }),
  ...configFlag,
}

/** Flags of the commands that print responses of the control API. control-api: "CLI" */
export const controlFlags = {
  ...addressFlags,
  json: flag.switch('Print the response of the control API as JSON', { group: emulatorGroup }),
}

/** Returns the address of the emulator that a command talks to, and its admin token. @throws CommandFailure 2 */
export async function addressOf(args: Arguments): Promise<{ url: string; token: string | undefined }> {
  const { settings } = await configFrom(args)
  const token = (args['admin-token'] as string | undefined) ?? process.env.MOCKADEMY_ADMIN_TOKEN ?? settings.admin_token
  if (args.url) return { url: originOf('--url', String(args.url)), token }
  const { MOCKADEMY_URL } = process.env
  if (MOCKADEMY_URL) return { url: originOf('MOCKADEMY_URL', MOCKADEMY_URL), token }
  return { url: listeningAt(settings, process.env), token }
}

/** Returns ` --url <url>`, or an empty text if `url` is where commands of any terminal look by default. */
export async function reachOf(url: string): Promise<string> {
  const usual = await configFrom({})
    .then(({ settings }) => listeningAt(settings, {}))
    .catch(() => undefined)
  return url === usual ? '' : ` --url ${url}`
}

function originOf(name: string, text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin
  throw wrongUse(`${name} ${JSON.stringify(text)}: must be an http or https URL`)
}

/** Returns the address of a `start` with these settings and variables. @throws CommandFailure 2 when there is none. */
function listeningAt(config: Config['settings'], variables: NodeJS.ProcessEnv): string {
  const { port = settingDefaults.port, https = false } = { ...config, ...settingsFromEnvironment(variables) }
  if (!Number.isInteger(port)) throw wrongUse(`MOCKADEMY_PORT "${port}": must be a number`)
  if (port === 0) throw wrongUse('port 0 means any free port: give the address with --url')
  return https === true ? `https://localhost:${port}` : `http://127.0.0.1:${port}`
}
