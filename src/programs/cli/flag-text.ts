import type { Arguments } from './command.js'
import { CommandFailure } from './command-failure.js'

/** A flag's text, or undefined. @throws CommandFailure 2 when it is given twice. */
export function textFrom(args: Arguments, flag: string): string | undefined {
  const value = args[flag]
  if (Array.isArray(value)) throw wrongUse(`--${flag} is given twice`)
  return value === undefined ? undefined : String(value)
}

export const wrongUse = (message: string) => new CommandFailure(2, `mockademy: ${message}`)
