import { parseArgs } from 'node:util'
import type { Options } from 'yargs'
import { warningOfVariables } from '../../emulator/world/settings.js'
import { type Arguments, type Command, flagsOf, isGroup, nameOf, say, wrongUse } from './command/command.js'
import { printFailure } from './command/command-failure.js'
import { locate } from './commands/locate.js'
import { commands } from './commands.js'
import { normalizeSwitches } from './flags/setting-flags.js'

/** Runs `mockademy <argv>`, and reports a failure on standard error. @returns the exit status. control-api: "CLI" */
export async function runCommandLine(argv: string[]): Promise<number> {
  const warning = warningOfVariables(process.env)
  if (warning !== undefined) say(`warning: ${warning}`)
  try {
    const found = await locate(argv, commands)
    const { entry, loaded } = found
    const ordered = normalizeSwitches(found.argv, flagsOf(loaded))
    refuseRepeatedFlags(ordered, flagsOf(loaded))
    if (!isGroup(loaded)) {
      // The default command may be called without its name.
      const args = plainArguments(loaded, ordered[0] === nameOf(entry) ? ordered.slice(1) : ordered)
      if (args) return await loaded.run(args)
    }
    return await (await import('./run-with-yargs.js')).runWithYargs({ entry, loaded, argv: ordered })
  } catch (error) {
    return printFailure(error)
  }
}

const onlyOfYargs = ['alias', 'choices', 'coerce', 'default', 'demandOption'] as const

/**
 * Parses plain flags with `node:util`, which is faster than loading yargs. Returns undefined if yargs is needed: for
 * help, errors and operands.
 */
function plainArguments({ flags, operands }: Command, argv: string[]): Arguments | undefined {
  if (operands || argv.includes('--')) return undefined
  if (Object.values(flags).some((flag) => onlyOfYargs.some((name) => flag[name] !== undefined))) return undefined
  const read = valuesOf(flags, argv)
  if (!read) return undefined
  const args: Arguments = {}
  for (const [name, values] of Object.entries(read)) {
    const { type, conflicts } = flags[name] as Options
    if (conflicts !== undefined && (typeof conflicts !== 'string' || conflicts in read)) return undefined
    if (values.includes('')) return undefined
    args[name] = type === 'array' ? values : values[0]
  }
  return args
}

/** Returns flags for the parser of Node. */
const optionsOf = (flags: Record<string, Options>, hasValue: (flag: Options) => unknown) =>
  Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      { type: hasValue(flag) ? ('string' as const) : ('boolean' as const), multiple: true },
    ]),
  )

function valuesOf(flags: Record<string, Options>, args: string[]): Record<string, (string | boolean)[]> | undefined {
  const options = optionsOf(flags, ({ type }) => type !== 'boolean')
  try {
    return parseArgs({ args, options, strict: true, allowNegative: true }).values as ReturnType<typeof valuesOf>
  } catch {
    // yargs reports the error in this program's wording.
    return undefined
  }
}

/** Flags whose values stay out of messages. */
const SECRET = /token|secret|key/

/** Rejects a flag that is given twice, unless its values are a list. @throws CommandFailure 2 */
function refuseRepeatedFlags(args: string[], flags: Record<string, Options>): void {
  // An argument after a flag that may have no value can be a flag too.
  const options = optionsOf(flags, ({ requiresArg }) => requiresArg)
  const { tokens } = parseArgs({ args, options, strict: false, allowNegative: true, tokens: true })
  const given = new Map<string, string | undefined>()
  for (const token of tokens) {
    if (token.kind !== 'option' || !Object.hasOwn(flags, token.name) || flags[token.name]?.type === 'array') continue
    const { name, value } = token
    if (given.has(name)) {
      const first = given.get(name)
      const isShown = first !== undefined && value !== undefined && !SECRET.test(name)
      const values = isShown ? `, as ${JSON.stringify(first)} and ${JSON.stringify(value)}` : ''
      throw wrongUse(`--${name} is given twice${values}: leave one of them out`)
    }
    given.set(name, value)
  }
}
