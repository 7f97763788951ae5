import { parseArgs } from 'node:util'
import type { Options } from 'yargs'
import { warningOfVariables } from '../../emulator/world/settings.js'
import { type Arguments, type Command, flagsOf, isGroup, nameOf, say, textsOf, wrongUse } from './command/command.js'
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
    const flags = flagsOf(loaded)
    const ordered = normalizeSwitches(found.argv, flags)
    // The default command may be called without its name.
    const tokens = tokensOf(ordered[0] === nameOf(entry) ? ordered.slice(1) : ordered, flags)
    refuseRepeatedFlags(tokens, flags)
    if (!isGroup(loaded)) {
      const args = plainArguments(loaded, tokens)
      if (args) return await loaded.run(args)
    }
    return await (await import('./run-with-yargs.js')).runWithYargs({ entry, loaded, argv: ordered })
  } catch (error) {
    return printFailure(error)
  }
}

/** Reads arguments as flags and others. The one after a flag that may have no value can be a flag too. */
function tokensOf(args: string[], flags: Command['flags']) {
  const typeOf = ({ requiresArg }: Options) => ({ type: requiresArg ? 'string' : 'boolean' }) as const
  const options = Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, typeOf(flag)]))
  return parseArgs({ args, options, strict: false, allowNegative: true, tokens: true }).tokens
}

type Tokens = ReturnType<typeof tokensOf>

const onlyOfYargs = ['alias', 'choices', 'coerce', 'default', 'demandOption'] as const

/**
 * Reads plain flags, which is faster than loading yargs. Returns undefined if yargs is needed: for help, operands, and
 * errors, which it reports in this program's wording.
 */
function plainArguments({ flags, operands }: Command, tokens: Tokens): Arguments | undefined {
  if (operands || Object.values(flags).some((flag) => onlyOfYargs.some((name) => flag[name] !== undefined)))
    return undefined
  const args: Arguments = {}
  for (const token of tokens) {
    if (token.kind !== 'option') return undefined
    const { name, rawName, value, inlineValue } = token
    const isNegative = rawName.startsWith('--no-')
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
    const isSwitch = flag?.type === 'boolean'
    if (isSwitch && value === undefined) args[name] ??= !isNegative
    else if (!flag || isSwitch || isNegative || !value || (!inlineValue && /^-./.test(value))) return undefined
    else args[name] = flag.type === 'array' ? [...textsOf(args[name]), value] : value
  }
  const isExcluded = (other: unknown) => other !== undefined && (typeof other !== 'string' || other in args)
  return Object.keys(args).some((name) => isExcluded(flags[name]?.conflicts)) ? undefined : args
}

/** Flags whose values stay out of messages. */
const SECRET = /token|secret|key/

/** Rejects a flag that is given twice, unless its values are a list. @throws CommandFailure 2 */
function refuseRepeatedFlags(tokens: Tokens, flags: Command['flags']): void {
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
