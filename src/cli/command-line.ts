import yargs, { type Argv } from 'yargs'
import { didYouMean } from '../schema/did-you-mean.js'
import { version } from '../world/version.js'
import type { Arguments, Command } from './command.js'
import { CommandFailure } from './command-failure.js'
import { type CommandEntry, commands } from './commands.js'
import { failureOf } from './failure-of.js'
import { normaliseBooleans } from './setting-flags.js'

/** Runs `mockademy <argv>`. @returns the exit status; what went wrong has been said on standard error. control-api: "CLI" */
export async function runCommandLine(argv: string[]): Promise<number> {
  try {
    return await run(normaliseBooleans(argv))
  } catch (error) {
    const { exitStatus, message } = failureOf(error)
    process.stderr.write(`${message}\n`)
    return exitStatus
  }
}

async function run(argv: string[]): Promise<number> {
  let status = 0
  const known = ['help', 'version']
  const parser = yargs()
    .scriptName('mockademy')
    .usage('$0 [command]\n\nA local emulator of a course-delivery platform, for people who build extension apps on it.')
    .parserConfiguration({
      'populate--': true,
      'greedy-arrays': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .version(version)
    .alias({ help: 'h', version: 'v' })
    .wrap(Math.min(120, process.stdout.columns ?? 120))
    .detectLocale(false)
    .strict()
    .exitProcess(false)
    .fail((message, error) => {
      // yargs throws some of its own findings and tells the others.
      if (error && error.name !== 'YError') throw error
      throw new CommandFailure(2, explain(message ?? error?.message, argv, known))
    })
    .epilogue('`mockademy <command> --help` shows the flags of a command.')

  const declare = (own: Argv, { flags, operands = {} }: Command) => {
    known.push(...Object.keys(flags))
    for (const [name, options] of Object.entries(operands)) own.positional(name, options)
    return own.options(flags)
  }
  const handler = (command: Command) => async (args: object) => {
    status = await command.run(args as Arguments)
  }
  const called = namedIn(argv)
  for (const entry of commands) {
    const { line: command, describe } = entry
    const loaded = called.includes(entry) ? await entry.load() : undefined
    if (!loaded) parser.command({ command, describe, handler: () => {} })
    else if ('subcommands' in loaded) {
      const builder = (own: Argv) => {
        for (const sub of loaded.subcommands) {
          own.command(sub.line, sub.describe, (inner) => declare(inner, sub), handler(sub))
        }
        return own.demandCommand(1, `${nameOf(entry)} needs one of: ${loaded.subcommands.map(nameOf).join(', ')}`)
      }
      parser.command({ command, describe, builder, handler: () => {} })
    } else parser.command({ command, describe, builder: (own) => declare(own, loaded), handler: handler(loaded) })
  }
  await parser.parseAsync(argv)
  return status
}

const nameOf = ({ line }: { line: string | string[] }) => ([line].flat()[0] as string).split(' ', 1)[0] as string

/** The commands that can be meant: those that are named, and the default one unless the line begins with a name. */
function namedIn(argv: string[]): CommandEntry[] {
  const [first, ...rest] = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined)
  const isNamed = (entry: CommandEntry) => nameOf(entry) === first || rest.includes(nameOf(entry))
  const begins = commands.some((entry) => nameOf(entry) === first)
  return commands.filter((entry, index) => isNamed(entry) || (index === 0 && !begins))
}

/** yargs' word on what cannot be read, with what may have been meant and where to look. */
function explain(message: string, argv: string[], flags: string[]): string {
  const [, list] = /^Unknown arguments?: (.*)$/.exec(message) ?? []
  if (/^Not enough non-option arguments/.test(message)) return `mockademy: an operand is missing\n${LOOK}`
  if (list === undefined) return `mockademy: ${message}\n${LOOK}`
  const unknown = [...new Set(list.split(', '))].map((name) => {
    const dashes = name.length === 1 ? '-' : '--'
    const isFlag = argv.some((argument) => argument.replace(/=.*/s, '') === dashes + name)
    return isFlag
      ? `unknown flag ${dashes}${name}${didYouMean(name, flags).replace('"', '"--')}`
      : `unknown command or operand ${JSON.stringify(name)}${didYouMean(name, commands.map(nameOf))}`
  })
  return `${unknown.map((fault) => `mockademy: ${fault}`).join('\n')}\n${LOOK}`
}

const LOOK = '`mockademy --help` lists the commands, `mockademy <command> --help` its flags.'
