import type { Options, PositionalOptions } from 'yargs'

/** What yargs read: flags and operands by name, what follows `--` under `--`. */
export type Arguments = Record<string, unknown>

/** A command's own module, imported only when that command is called: a start must not wait for what it does not need. */
export interface Command {
  flags: Record<string, Options>
  /** Operands by the names they have in the command's line of the table. */
  operands?: Record<string, PositionalOptions>
  /** @returns the exit status. @throws CommandFailure */
  run(args: Arguments): Promise<number>
}
