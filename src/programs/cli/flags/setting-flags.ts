import type { Options } from 'yargs'
import {
  type GivenSettings,
  kindsOfText,
  type SettingName,
  settingDefaults,
  settingNames,
  settingTable,
} from '../../../emulator/world/setting-table.js'
import {
  checkSettings,
  environmentName,
  settingFromText,
  settingsFromEnvironment,
} from '../../../emulator/world/settings.js'
import { shortDuration } from '../../../foundation/schema/duration.js'
import { InvalidOptionsError } from '../../../foundation/schema/options.js'
import { type Arguments, wrongUse } from '../command/command.js'

const flagName = (name: SettingName) => name.replaceAll('_', '-')

function defaultText(name: SettingName): string {
  const value: unknown = settingDefaults[name as keyof typeof settingDefaults]
  if (settingTable[name].kind === 'duration') return shortDuration(value as number)
  if (Array.isArray(value)) {
    const texts = value.map((each) => (typeof each === 'number' ? shortDuration(each) : String(each)))
    return texts.join(',') || 'none'
  }
  return typeof value === 'object' ? 'none' : String(value)
}

const optionsOfKind = (name: SettingName): Options => {
  const { kind } = settingTable[name]
  if (kind === 'boolean') return { type: 'boolean' }
  const isList = ['list', 'durations', 'map'].includes(kind)
  return isList ? { type: 'array', string: true, requiresArg: true } : { type: 'string', requiresArg: true }
}

/**
 * A flag for every setting: text, which `settingFromText` reads as it reads a variable. Those of lists and maps may be
 * repeated, and their values add up. wire: §8
 */
export const settingFlags: Record<string, Options> = Object.fromEntries(
  settingNames.map((name): [string, Options] => [
    flagName(name),
    {
      ...optionsOfKind(name),
      describe: settingTable[name].describe,
      group: 'Settings:',
      ...(Object.hasOwn(settingDefaults, name) && { defaultDescription: defaultText(name) }),
    },
  ]),
)

/**
 * Writes `--https=yes` as `--https` and `--https=0` as `--no-https`: yargs takes every value but `true` for false.
 * @throws CommandFailure 2 for any other value.
 */
export function normalizeSwitches(argv: string[], flags: Record<string, Options>): string[] {
  const end = argv.indexOf('--')
  return argv.map((argument, index) => {
    const [, flag = '', text = ''] = /^--([a-z-]+)=(.*)$/s.exec(argument) ?? []
    if (flags[flag]?.type !== 'boolean' || (end >= 0 && index > end)) return argument
    const value = kindsOfText.boolean(text)
    if (typeof value !== 'boolean' || text === '')
      throw wrongUse(`--${flag} ${JSON.stringify(text)}: ${unread.boolean}`)
    return value ? `--${flag}` : `--no-${flag}`
  })
}

/** Returns the settings of the flags, checked. @throws CommandFailure 2, naming each wrong flag. */
export async function settingsFromFlags(args: Arguments): Promise<GivenSettings> {
  const texts = settingNames.flatMap((name): [SettingName, string][] => {
    const value = args[flagName(name)]
    return value === undefined ? [] : [[name, [value].flat().join(',')]]
  })
  const values = Object.fromEntries(texts.map(([name, text]) => [name, settingFromText(name, text)]))
  const given = new Map(texts)
  return checked(values, (name) => [`--${flagName(name)}`, given.get(name)])
}

/** Returns the settings of the environment, checked. @throws CommandFailure 2, naming each wrong variable. */
export const settingsFromVariables = (environment: NodeJS.ProcessEnv): Promise<GivenSettings> =>
  checked(settingsFromEnvironment(environment), (name) => [environmentName(name), environment[environmentName(name)]])

/** Messages for a text that could not be read as its kind. */
const unread: Partial<Record<string, string>> = {
  number: 'must be a number',
  boolean: 'must be true or false',
  map: 'must be pairs NAME=OTHER, separated by commas, with each NAME once',
}

/** @param given returns the name of the flag or variable of a setting, and its text. */
async function checked(values: Record<string, unknown>, given: (name: SettingName) => [string, string | undefined]) {
  try {
    return await checkSettings(values)
  } catch (error) {
    if (!(error instanceof InvalidOptionsError)) throw error
    const lines = error.issues.map(({ path, message }) => {
      const name = path.split('.')[0] as SettingName
      const isUnread = typeof values[name] === 'string' && unread[settingTable[name].kind]
      const [source, text] = given(name)
      // An admin token stays out of messages, as every secret does.
      const shown = name === 'admin_token' ? '' : ` ${JSON.stringify(text)}`
      return `${source}${shown}: ${isUnread || message}`
    })
    throw wrongUse(lines.join('\nmockademy: '))
  }
}
