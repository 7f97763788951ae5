import yargs, { type Argv } from 'yargs'
import { version } from '../../emulator/world/version.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { type Arguments, type Command, isGroup, mustNamePaths, nameOf, usageOf, wrongUse } from './command/command.js'
import { HELP_HINT, type Located } from './commands/locate.js'
import { commands } from './commands.js'

/** Reads the arguments with yargs, then runs the command or prints help. @returns the exit status. @throws CommandFailure */
export async function runWithYargs(located: Located): Promise<number> {
  const { entry, loaded, argv: ordered } = located
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
    .updateStrings({ 'Arguments %s and %s are mutually exclusive': '--%s and --%s exclude each other' })
    .detectLocale(false)
    .strict()
    .exitProcess(false)
    .fail((message, error) => {
      // yargs throws some of its own messages and passes the others.
      if (error && error.name !== 'YError') throw error
      const said = explain(String(withDash(message ?? error?.message)), { ...located, flags })
      throw wrongUse(`${said}\n${HELP_HINT}`)
    })
    .epilogue('`mockademy <command> --help` shows the flags of a command.')

  const declare = (own: Argv, path: string, { flags: given, operands = {}, example }: Command) => {
    flags.push(...Object.entries(given).flatMap(([flag, { hidden }]) => (hidden ? [] : [flag])))
    for (const [name, options] of Object.entries(operands)) own.positional(name, options)
    for (const words of [example ?? []].flat()) own.example(`$0 ${path} ${words}`, '')
    // `--version` may be meant as the app's version here: do not print the program's and exit with 0.
    if ('app-version' in given) own.version(false)
    return own.options(given)
  }
  const handler = (command: Command) => async (args: object) => {
    const read: Arguments = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, withDash(value)]))
    mustNamePaths(command, read)
    status = await command.run(read)
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
        return own.demandCommand(1, `${nameOf(entry)} needs one of: ${loaded.subcommands.map(nameOf).join(', ')}`)
      }
      parser.command({ command, describe, builder, handler: () => {} })
    } else {
      const builder = (own: Argv) => declare(own, nameOf(entry), loaded)
      parser.command({ command, describe, builder, handler: handler(loaded) })
    }
  }
  const end = nameOf(entry) in commandsThatRun || !ordered.includes('--') ? ordered.length : ordered.indexOf('--')
  const operands = ordered.slice(end + 1).map((word) => word.replace(/^-/, DASH))
  const before = ordered.slice(0, end).map((argument) => argument.replace(/^-(?=$|\d+[a-z]|[a-z]{2})/, DASH))
  await parser.parseAsync([...before, ...operands])
  return status
}

const WIDEST = Math.max(...commands.map((entry) => usageOf(entry).length))

/** The commands under their headings. yargs knows no headings, so the commands that are not called are hidden from it. */
const USAGE = [
  '$0 [command]\n\nA local emulator of a course-delivery platform, for people who build extension apps on it.',
  ...commands.map(({ heading, describe, ...entry }) => {
    const line = `${usageOf(entry).padEnd(WIDEST)}  ${describe}`
    return heading === undefined ? line : `\n${heading}:\n${line}`
  }),
].join('\n')

/** Stands for a leading `-` that yargs would misread: `-` as an empty text, `-1h` and `-slow` as flags. No argument can contain it. */
const DASH = '\0'

const withDash = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(withDash) : typeof value === 'string' ? value.replaceAll(DASH, '-') : value

type Misuse = Located & { flags: string[] }

function explain(message: string, misuse: Misuse): string {
  for (const { pattern, say } of explanations) {
    const match = pattern.exec(message)
    if (match) return say(match.slice(1) as string[], misuse)
  }
  return message
}

/** Examples of the commands that run another one. */
const commandsThatRun: Record<string, string> = { dev: 'node app.js', exec: 'npm test' }

const needsDashes = (name: string) =>
  `${name} needs -- before the command that it runs, as in: mockademy ${name} -- ${commandsThatRun[name]}`

const explanations: { pattern: RegExp; say: (parts: string[], misuse: Misuse) => string }[] = [
  {
    pattern: /^Unknown arguments?: (.*)$/s,
    // Reports only the first: later ones often follow from it.
    say: ([list = ''], { argv, flags }) => {
      const name = list.split(', ', 1)[0] as string
      const dashes = name.length === 1 ? '-' : '--'
      const isFlag = argv.some((argument) => argument.replace(/=.*/s, '') === dashes + name)
      const [command = '', verb = ''] = argv
      if (name === 'version') return 'unknown flag --version; did you mean "--app-version"?'
      if (command === 'snapshot' && ['restore', 'delete'].includes(verb) && !isFlag) {
        return `to ${verb} a snapshot: snapshot NAME --${verb}`
      }
      if (command in commandsThatRun && !argv.includes('--') && !(isFlag && argv[1]?.startsWith('-'))) {
        return needsDashes(command)
      }
      const known = flags.map((flag) => `--${flag}`)
      if (isFlag) return `unknown flag ${dashes}${name}${didYouMean(dashes + name, known)}`
      const repeat = argv.includes('--fixtures') ? '; repeat --fixtures for each file' : ''
      return `unknown operand ${JSON.stringify(name)}${repeat}`
    },
  },
  {
    pattern: /^Not enough non-option arguments: got (\d+)/,
    say: ([got = '0'], misuse) => {
      const line = lineOf(misuse)
      const missing = [...line.matchAll(/<(\w+)(?:\.\.)?>/g)].map(([, operand]) => operand)[Number(got)]
      return `${line.replace(/ [<[].*/, '')} needs <${missing}>: mockademy ${line}`
    },
  },
  {
    pattern: /^Not enough arguments following: (.*)$/,
    say: ([name = '']) => `${name.length === 1 ? '-' : '--'}${name} needs a value`,
  },
  {
    pattern: /^Invalid values:\s+Argument: ([^,]+), Given: "(.*?)", (?:".*", )?Choices: (.*)$/m,
    say: ([name = '', given = '', choices = ''], { flags }) => {
      const known = [...choices.matchAll(/"(.*?)"/g)].map(([, choice]) => choice as string)
      const dashes = flags.includes(name) ? '--' : ''
      return `${dashes}${name} ${JSON.stringify(given)}: is not one of its values${didYouMean(given, known)}`
    },
  },
]

function lineOf({ entry, loaded, argv: [, name] }: Misuse): string {
  if (!isGroup(loaded)) return usageOf(entry)
  const called = loaded.subcommands.find((each) => nameOf(each) === name)
  return `${nameOf(entry)} ${called ? usageOf(called) : name}`
}
