import { parseDuration } from '../../foundation/schema/duration.js'
import { InvalidOptionsError } from '../../foundation/schema/options.js'
import type { GivenSettings } from './setting-schemas.js'
import { kindsOfText, type SettingName, settingNames, settingTable } from './setting-table.js'

/** The defaults of settings. Absent: off, or derived. wire: §8 */
export const settingDefaults = {
  port: 4600,
  host: '127.0.0.1',
  https: false,
  trust_hosts: [] as string[],
  store: 'memory',
  page_size: 50,
  access_token_ttl: parseDuration('1h'),
  id_token_ttl: parseDuration('1h'),
  refresh_token_ttl: parseDuration('30d'),
  code_ttl: parseDuration('10m'),
  ack_window: parseDuration('3s'),
  attempt_timeout: parseDuration('10s'),
  retry_schedule: [parseDuration('10s'), parseDuration('100s')],
  header_prefix: 'Platform',
  allow_public_webhooks: false,
  element_type_names: {} as Record<string, string>,
  journal_size: 1000,
  journal_admin: false,
  retention: 10_000,
  worlds: 1,
} satisfies GivenSettings

export type Settings = Omit<GivenSettings, keyof typeof settingDefaults> & typeof settingDefaults

/** @param layers the strongest first: flags, options, environment, fixtures. wire: §8 */
export function resolveSettings(...layers: GivenSettings[]): Settings {
  const given = layers.toReversed().map((layer) => Object.entries(layer).filter(([, value]) => value !== undefined))
  return Object.assign({}, settingDefaults, ...given.map((entries) => Object.fromEntries(entries)))
}

/**
 * Checks settings given as values. The schemas are loaded only for values that are not plainly right.
 * @param nameOf the name that the caller wrote for a setting, such as that of a variable.
 * @throws InvalidOptionsError with an entry for each issue.
 */
export async function checkSettings(
  given: object,
  nameOf: (setting: SettingName) => string = (setting) => setting,
): Promise<GivenSettings> {
  const isPlain = ([name, value]: [string, unknown]) =>
    Object.hasOwn(settingTable, name) && settingTable[name as SettingName].isValidWithoutSchema(value)
  if (Object.entries(given).every(isPlain)) return given
  const [{ settingsSchema }, { describeIssue, issuesOf }] = await Promise.all([
    import('./setting-schemas.js'),
    import('../../foundation/schema/schema-issues.js'),
  ])
  const result = settingsSchema.safeParse(given, { error: describeIssue })
  if (result.success) return result.data as GivenSettings
  throw new InvalidOptionsError(
    issuesOf(result.error).map(({ path, message }) => {
      const [setting = '', ...inner] = path.split('.')
      return { path: [nameOf(setting as SettingName), ...inner].join('.'), message }
    }),
  )
}

/** A setting's value from its text in a flag or variable; what cannot be read comes back as text, for the check to refuse. */
export const settingFromText = (name: SettingName, text: string): unknown => kindsOfText[settingTable[name].kind](text)

export const environmentName = (name: SettingName) => `MOCKADEMY_${name.toUpperCase()}`

/** The settings in the environment, as values still to be checked. */
export function settingsFromEnvironment(environment: Record<string, string | undefined>): Record<string, unknown> {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const text = environment[environmentName(name)]
      // An empty variable is how shells and Compose files say that there is none.
      return text ? [[name, settingFromText(name, text)]] : []
    }),
  )
}

/** Only those that belong to the world and go where its document goes. fixtures: "A whole world" */
export const worldSettings = (given: GivenSettings): GivenSettings =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== undefined && !settingTable[name as SettingName].process),
  )
