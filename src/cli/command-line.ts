import { readFileSync } from 'node:fs'
import yargs from 'yargs'
import type { Arguments, Command } from './command.js'
import { CommandFailure } from './command-failure.js'
import { commands } from './commands.js'
import { failureOf } from './failure-of.js'
import { normaliseBooleans } from './setting-flags.js'
import { suggestion } from './suggestion.js'

/** Runs `mockademy <argv>`. @returns the exit status; what went wrong has been said on standard error. control-api: "CLI" */
export async function runCommandLine(argv: string[]): Promise<number> {
  let status = 0
  let known: string[] = []
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
    .version(version())
    .alias({ help: 'h', version: 'v' })
    .wrap(Math.min(120, process.stdout.columns ?? 120))
    .strict()
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new CommandFailure(2, explain(message, known))
    })

  for (const { line, describe, load } of commands) {
    let command: Command | undefined
    parser.command({
      command: line,
      describe,
      builder: async (own) => {
        command = await load()
        const { flags, operands = {} } = command
        known = [...Object.keys(flags), 'help', 'version']
        for (const [name, options] of Object.entries(operands)) own.positional(name, options)
        return own.options(flags)
      },
      handler: async (args) => {
        status = (await command?.run(args as Arguments)) ?? status
      },
    })
  }

  try {
    await parser.parseAsync(normaliseBooleans(argv))
  } catch (error) {
    const { exitStatus, message } = failureOf(error)
    process.stderr.write(`${message}\n`)
    return exitStatus
  }
  return status
}

/** yargs' word on what cannot be read, with what may have been meant and where to look. */
function explain(message: string, flags: string[]): string {
  const [, list] = /^Unknown arguments?: (.*)$/.exec(message) ?? []
  if (list === undefined) return `mockademy: ${message}\n${LOOK}`
  const names = commands.flatMap(({ line }) => [line].flat()).map((line) => line.split(' ')[0] as string)
  const unknown = [...new Set(list.split(', '))].map((name) => {
    const isFlag = process.argv.some((argument) => argument.replace(/=.*/s, '') === `--${name}`) || name.length === 1
    const near = suggestion(name, isFlag ? flags : names)
    return isFlag
      ? `unknown flag --${name}.${near.replace('mean ', 'mean --')}`
      : `unknown command or operand ${JSON.stringify(name)}.${near}`
  })
  return `${unknown.map((fault) => `mockademy: ${fault}`).join('\n')}\n${LOOK}`
}

const LOOK = '`mockademy --help` lists the commands, `mockademy <command> --help` its flags.'

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
