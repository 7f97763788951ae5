import type { Options } from 'yargs'
import { didYouMean } from '../../../foundation/schema/did-you-mean.js'
import { type CommandEntry, flagsOf, isGroup, type Loaded, nameOf, wrongUse } from '../command/command.js'
import { controlFlags } from '../flags/address.js'
import { startFlags } from '../flags/emulator-options.js'

export interface Located {
  entry: CommandEntry
  loaded: Loaded
  /** The arguments with the words of the command in front, because flags may precede it. */
  argv: string[]
}

export const HELP_HINT = '`mockademy --help` lists the commands, `mockademy <command> --help` its flags.'

/** Finds the command and loads it. @throws CommandFailure 2 for an unknown command, with a suggestion. */
export async function locate(given: string[], commands: CommandEntry[]): Promise<Located> {
  const asked = given[0] === 'help' ? [...given.slice(1), '--help'] : given
  const defaultCommand = commands[0] as CommandEntry
  const known = commands.map(nameOf)
  const word = nextWord(asked, 0, frontFlags, known)
  if (word === undefined) return { entry: defaultCommand, loaded: await defaultCommand.load(), argv: asked }

  const name = asked[word] as string
  const entry = commands.find((each) => nameOf(each) === name)
  if (!entry) {
    if (!asked.slice(0, word).includes('--fixtures')) throw unknown(name, 'command', known)
    throw wrongUse(`unknown command ${JSON.stringify(name)}; repeat --fixtures for each file\n${HELP_HINT}`)
  }
  const loaded = await entry.load()
  const argv = [name, ...asked.slice(0, word), ...asked.slice(word + 1)]
  if (!isGroup(loaded)) return { entry, loaded, argv }

  const subs = loaded.subcommands.map(nameOf)
  const second = nextWord(argv, 1, { ...frontFlags, ...flagsOf(loaded) }, subs)
  if (second === undefined) return { entry, loaded, argv }
  const sub = argv[second] as string
  if (!subs.includes(sub)) throw unknown(sub, `command of ${name}`, subs)
  return { entry, loaded, argv: [name, sub, ...argv.slice(1, second), ...argv.slice(second + 1)] }
}

/** Flags that are known before the command is. */
export const frontFlags: Record<string, Options> = {
  ...startFlags,
  ...controlFlags,
  help: { type: 'boolean' },
  version: { type: 'boolean' },
}

/**
 * Returns the index of the next argument that is neither a flag nor a flag's value; undefined if there is none before
 * `--`. The argument after an unknown flag counts as its value, unless it is one of `words`.
 */
function nextWord(argv: string[], from: number, flags: Record<string, Options>, words: string[]): number | undefined {
  for (let index = from; index < argv.length; index++) {
    const argument = argv[index] as string
    if (argument === '--') return undefined
    if (!argument.startsWith('-') || argument === '-') return index
    const flag = flags[argument.replace(/^--/, '')]
    const next = argv[index + 1] ?? '-'
    const mayHaveValue = /^--(?!no-)[^=]+$/.test(argument) && !next.startsWith('-') && !words.includes(next)
    if (flag ? flag.type !== 'boolean' : mayHaveValue) index++
  }
  return undefined
}

const unknown = (word: string, what: string, known: string[]) =>
  wrongUse(`unknown ${what} ${JSON.stringify(word)}${didYouMean(word, known)}\n${HELP_HINT}`)
