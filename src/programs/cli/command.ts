import type { Options, PositionalOptions } from 'yargs'
import type { CallName } from '../../control/admin/calls.js'

/** What yargs read: flags and operands by name, what follows `--` under `--`. */
export type Arguments = Record<string, unknown>

/** A command of a command, as `list` in `apps list`. `line` is as yargs reads it: the name and its operands. */
export interface Subcommand extends Command {
  line: string | string[]
  describe: string
}

/** A command that is a family of others. */
export interface CommandGroup {
  subcommands: Subcommand[]
}

/** A command's own module, imported only when that command is called: a start must not wait for what it does not need. */
export interface Command {
  flags: Record<string, Options>
  /** Operands by the names they have in the command's line of the table. */
  operands?: Record<string, PositionalOptions>
  /** What may follow the command's name, shown by its help. */
  example?: string
  /** The control calls that it can make. */
  calls?: readonly CallName[]
  /** @returns the exit status. @throws CommandFailure */
  run(args: Arguments): Promise<number>
}

export interface CommandEntry {
  /** In `--help`, of the group that begins with this command. */
  heading?: string
  /** As yargs reads it: names and operands. */
  line: string | string[]
  describe: string
  load(): Promise<Command | CommandGroup>
}

/** The name of a command or of a command of one. */
export const nameOf = ({ line }: { line: string | string[] }) => ([line].flat()[0] as string).split(' ', 1)[0] as string
