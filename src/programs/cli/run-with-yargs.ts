import yargs, { type Argv } from 'yargs'
import { version } from '../../emulator/world/version.js'
import { type Arguments, type Command, type CommandEntry, nameOf } from './command.js'
import { CommandFailure } from './command-failure.js'
import { commands } from './commands.js'
import { explain, LOOK } from './explain.js'
import { isGroup, type Located } from './locate.js'

/** Lets yargs read the arguments, run the command, or print its help. @returns the exit status. @throws CommandFailure */
export async function runWithYargs({ entry, loaded, argv: ordered }: Located): Promise<number> {
  let status = 0
  const flags = ['help', 'version']
  const parser = yargs()
    .scriptName('mockademy')
    .usage(USAGE)
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
      const said = withDash(message ?? error?.message)
      throw new CommandFailure(2, `mockademy: ${explain(said, ordered, flags, loaded)}\n${LOOK}`)
    })
    .epilogue('`mockademy <command> --help` shows the flags of a command.')

  const declare = (own: Argv, path: string, { flags: given, operands = {}, example }: Command) => {
    flags.push(...Object.keys(given))
    for (const [name, options] of Object.entries(operands)) own.positional(name, options)
    if (example) own.example(`$0 ${path} ${example}`, '')
    return own.options(given)
  }
  const handler = (command: Command) => async (args: object) => {
    const given = Object.entries(args).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(withDash) : withDash(value),
    ])
    status = await command.run(Object.fromEntries(given) as Arguments)
  }
  for (const each of commands) {
    const { line: command, describe } = each
    if (each !== entry) parser.command({ command, describe: false, handler: () => {} })
    else if (isGroup(loaded)) {
      const builder = (own: Argv) => {
        for (const sub of loaded.subcommands) {
          const path = `${nameOf(entry)} ${nameOf(sub)}`
          own.command(sub.line, sub.describe, (inner) => declare(inner, path, sub), handler(sub))
        }
        return own.demandCommand(1, needsOneOf(entry, loaded.subcommands))
      }
      parser.command({ command, describe, builder, handler: () => {} })
    } else {
      const builder = (own: Argv) => declare(own, nameOf(entry), loaded)
      parser.command({ command, describe, builder, handler: handler(loaded) })
    }
  }
  await parser.parseAsync(ordered.map((argument) => argument.replace(/^-(?=$|\d+[a-z])/, DASH)))
  return status
}

const usageOf = ({ line }: Pick<CommandEntry, 'line'>) => `mockademy ${[line].flat()[0]}`

const WIDEST = Math.max(...commands.map((entry) => usageOf(entry).length))

/** The commands by groups, which yargs has none of: to it, those that are not called are hidden. */
const USAGE = [
  '$0 [command]\n\nA local emulator of a course-delivery platform, for people who build extension apps on it.',
  ...commands.map(({ heading, describe, ...entry }) => {
    const line = `${usageOf(entry).padEnd(WIDEST)}  ${describe}`
    return heading === undefined ? line : `\n${heading}:\n${line}`
  }),
].join('\n')

/** What yargs reads in place of the `-` of `-`, an empty text to it, and of `-1h`, flags to it. No argument can hold it. */
const DASH = '\0'

const withDash = <T>(value: T) => (typeof value === 'string' ? value.replaceAll(DASH, '-') : value)

const needsOneOf = (entry: CommandEntry, subs: { line: string | string[] }[]) =>
  `${nameOf(entry)} needs one of: ${subs.map(nameOf).join(', ')}`
