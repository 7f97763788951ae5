import type { Options, PositionalOptions } from 'yargs'
import { type Command, isGroup, nameOf, usageOf } from '../../../src/programs/cli/command/command.js'
import { commands } from '../../../src/programs/cli/commands.js'
import { controlFlags } from '../../../src/programs/cli/flags/address.js'
import { settingFlags } from '../../../src/programs/cli/flags/setting-flags.js'
import { code, sentence, tableOf } from './markdown.js'

const shared: Record<string, Options> = controlFlags
const settings = new Set(Object.keys(settingFlags))

/** Descriptions of switches say themselves which way they are. */
const defaultOf = ({ default: value, ...rest }: Options | PositionalOptions): string =>
  ('defaultDescription' in rest && rest.defaultDescription) || (typeof value === 'string' ? code(value) : '')

const textOf = ({ describe = '', choices, ...rest }: Options | PositionalOptions) =>
  [
    String(describe),
    choices ? `One of ${choices.map((choice) => code(String(choice))).join(', ')}` : '',
    defaultOf(rest) && `Default: ${defaultOf(rest)}`,
  ]
    .filter(Boolean)
    .map((text) => text.replace(/\.$/, ''))
    .join('. ')

/** Flags that are a command's own: settings, and what every command of an emulator takes, are described once. */
function commandLines({ flags, operands = {}, example }: Command, words: string): string[] {
  const examples = [example ?? []].flat().map((more) => code(`mockademy ${words} ${more}`))
  const missing = [...settings].filter((name) => !(name in flags))
  const takesSettings = missing.length <= 1
  const isSetting = (name: string) => takesSettings && settings.has(name)
  const own = Object.entries(flags).filter(([name, flag]) => {
    if (flag.hidden || flag === shared[name]) return false
    // A flag that is both may be described anew.
    return !isSetting(name) || (name in shared && flag !== settingFlags[name])
  })
  return [
    ...tableOf(
      ['', ''],
      [
        ...Object.entries(operands).map(([name, options]) => [code(name), textOf(options)]),
        ...own.map(([name, options]) => [code(`--${name}`), textOf(options)]),
      ],
    ),
    ...(takesSettings
      ? ['', `Takes every [setting](settings.md)${missing.map((name) => ` but ${code(name)}`).join('')} as a flag.`]
      : []),
    ...(examples.length > 0 ? ['', `Example: ${examples.join(', ')}`] : []),
  ]
}

/** The reference of the command line, made of the table of commands. */
export async function commandReference(): Promise<string> {
  const chapters = await Promise.all(
    commands.map(async (entry) => {
      const loaded = await entry.load()
      const head = ['', `## ${nameOf(entry)}`, '', `${sentence(entry.describe)} ${code(`mockademy ${usageOf(entry)}`)}`]
      if (!isGroup(loaded)) return [...head, ...commandLines(loaded, nameOf(entry))]
      const subs = loaded.subcommands.flatMap((sub) => [
        '',
        `**\`mockademy ${nameOf(entry)} ${usageOf(sub)}\`** ${sentence(sub.describe)}`,
        ...commandLines(sub, `${nameOf(entry)} ${nameOf(sub)}`),
      ])
      return ['', `## ${nameOf(entry)}`, '', sentence(entry.describe), ...subs]
    }),
  )
  return chapters.flat().join('\n').trim()
}
