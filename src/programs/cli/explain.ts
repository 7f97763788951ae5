import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { type Command, type CommandGroup, nameOf } from './command.js'
import { commands } from './commands.js'

export const LOOK = '`mockademy --help` lists the commands, `mockademy <command> --help` its flags.'

/**
 * yargs' word on what cannot be read, in this program's: what is missing or unknown, and what may have been meant.
 * @param argv the command's words first.
 * @param flags those that the command knows.
 */
export function explain(message: string, argv: string[], flags: string[], loaded: Command | CommandGroup): string {
  for (const { pattern, say } of explanations) {
    const match = pattern.exec(message)
    if (match) return say(match.slice(1) as string[], { argv, flags, loaded })
  }
  return message
}

interface Scene {
  argv: string[]
  flags: string[]
  loaded: Command | CommandGroup
}

const NEEDS_DASHES = 'exec needs -- before the command that it runs, as in: mockademy exec -- npm test'

const explanations: { pattern: RegExp; say: (parts: string[], scene: Scene) => string }[] = [
  {
    pattern: /^Unknown arguments?: (.*)$/s,
    // Only the first: what follows a mistake is often read wrongly because of it.
    say: ([list = ''], { argv, flags }) => {
      const name = list.split(', ', 1)[0] as string
      const dashes = name.length === 1 ? '-' : '--'
      const isFlag = argv.some((argument) => argument.replace(/=.*/s, '') === dashes + name)
      if (argv[0] === 'exec' && !(isFlag && argv[1]?.startsWith('-'))) return NEEDS_DASHES
      if (isFlag) return `unknown flag ${dashes}${name}${didYouMean(name, flags).replace('"', '"--')}`
      const repeat = argv.includes('--fixtures') ? '; repeat --fixtures for each file' : ''
      return `unknown operand ${JSON.stringify(name)}${repeat}`
    },
  },
  {
    pattern: /^Not enough non-option arguments: got (\d+)/,
    say: ([got = '0'], { argv, loaded }) => {
      const line = lineOf(argv, loaded)
      const missing = [...line.matchAll(/<(\w+)(?:\.\.)?>/g)].map(([, operand]) => operand)[Number(got)]
      return `${line.replace(/ [<[].*/, '')} needs <${missing}>: mockademy ${line}`
    },
  },
  {
    pattern: /^Not enough arguments following: (.*)$/,
    say: ([name = '']) => `${name.length === 1 ? '-' : '--'}${name} needs a value`,
  },
  {
    pattern: /^Arguments (\S+) and (\S+) are mutually exclusive$/,
    say: ([one = '', other = '']) => `--${one} and --${other} exclude each other`,
  },
]

/** The usage line of the command that is called. */
function lineOf([name = '', sub = '']: string[], loaded: Command | CommandGroup): string {
  const first = (line: string | string[]) => [line].flat()[0] as string
  const entry = commands.find((each) => nameOf(each) === name)
  if (!('subcommands' in loaded)) return first(entry?.line ?? name)
  const called = loaded.subcommands.find((each) => nameOf(each) === sub)
  return `${name} ${first(called?.line ?? sub)}`
}
