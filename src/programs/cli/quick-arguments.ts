import { parseArgs } from 'node:util'
import type { Options } from 'yargs'
import type { Arguments, Command } from './command.js'

/** What yargs would do more with than to read a flag. */
const special = ['alias', 'choices', 'coerce', 'default', 'demandOption'] as const

/**
 * The flags of a command as yargs would read them; undefined wherever it would have more to say: help, mistakes,
 * operands. To load yargs takes longer than all that a start has to do.
 */
export function quickArguments({ flags, operands }: Command, argv: string[]): Arguments | undefined {
  if (operands || argv.includes('--')) return undefined
  if (Object.values(flags).some((flag) => special.some((name) => flag[name] !== undefined))) return undefined
  const read = valuesOf(flags, argv)
  if (!read) return undefined
  const args: Arguments = {}
  for (const [name, values] of Object.entries(read)) {
    const { type, conflicts } = flags[name] as Options
    if (conflicts !== undefined && (typeof conflicts !== 'string' || conflicts in read)) return undefined
    // An empty value, or a switch that is given twice.
    if (values.includes('') || (type === 'boolean' && values.length > 1)) return undefined
    args[name] = type === 'array' || values.length > 1 ? values : values[0]
  }
  return args
}

function valuesOf(flags: Record<string, Options>, args: string[]): Record<string, (string | boolean)[]> | undefined {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type }]) => [
      name,
      { type: type === 'boolean' ? ('boolean' as const) : ('string' as const), multiple: true as const },
    ]),
  )
  try {
    return parseArgs({ args, options, strict: true, allowNegative: true }).values as ReturnType<typeof valuesOf>
  } catch {
    // It does not say it as this program does.
    return undefined
  }
}
