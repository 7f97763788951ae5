import { nearestName } from '../../foundation/schema/did-you-mean.js'
import { InvalidOptionsError } from '../../foundation/schema/options.js'
import {
  type GivenSettings,
  kindsOfText,
  type SettingName,
  type Settings,
  settingDefaults,
  settingNames,
  settingTable,
} from './setting-table.js'

/** Returns the settings in force. @param layers the strongest first: flags, options, environment, fixtures. wire: §8 */
export function resolveSettings(...layers: GivenSettings[]): Settings {
  const given = layers.toReversed().map((layer) => Object.entries(layer).filter(([, value]) => value !== undefined))
  return Object.assign({}, settingDefaults, ...given.map((entries) => Object.fromEntries(entries)))
}

/**
 * Checks settings given as values. Loads the schemas only for values that need them.
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
  const [{ settingsSchema }, { readBySchema }] = await Promise.all([
    import('./setting-schemas.js'),
    import('../../foundation/schema/issue.js'),
  ])
  const { data, issues } = readBySchema(settingsSchema, given)
  if (!issues) return data as GivenSettings
  throw new InvalidOptionsError(
    issues.map(({ path: [setting = '', ...inner], message }) => ({
      path: [nameOf(setting as SettingName), ...inner].join('.'),
      message,
    })),
  )
}

/** Returns a setting's value from its text in a flag or variable; text that cannot be read stays text, which the check rejects. */
export const settingFromText = (name: SettingName, text: string): unknown => kindsOfText[settingTable[name].kind](text)

const PREFIX = 'MOCKADEMY_'

export const environmentName = (name: SettingName) => `${PREFIX}${name.toUpperCase()}`

/** Returns the settings in the environment, still to be checked. */
export function settingsFromEnvironment(environment: Record<string, string | undefined>): Record<string, unknown> {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const text = environment[environmentName(name)]
      // An empty variable is how shells and Compose files say that there is none.
      return text ? [[name, settingFromText(name, text)]] : []
    }),
  )
}

const settingsOf = (given: GivenSettings, ofProcess: boolean): GivenSettings =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && settingTable[name as SettingName].process === ofProcess,
    ),
  )

/** Returns those that belong to the world and go where its document goes. fixtures: "A whole world" */
export const worldSettings = (given: GivenSettings): GivenSettings => settingsOf(given, false)

/** Returns those that belong to the process: a document changes none of a running one. */
export const processSettings = (given: GivenSettings): GivenSettings => settingsOf(given, true)

/** Variables that are no settings, without the prefix. */
const others = ['URL', 'FIXTURES', 'REPORT', 'WITHIN_RUN']

/** Returns a warning that names the variables that look like settings and are none; undefined when there are none. wire: §8 */
export function warningOfVariables(environment: Record<string, string | undefined>): string | undefined {
  const known = [...settingNames.map((name) => name.toUpperCase()), ...others]
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && environment[name] && !known.includes(name.slice(PREFIX.length)))
    .map((name) => {
      const nearest = nearestName(name.slice(PREFIX.length), known)
      return nearest ? `${name} (did you mean "${PREFIX}${nearest}"?)` : name
    })
  if (unknown.length === 0) return undefined
  return `unknown environment variables: ${unknown.join(', ')}`
}
