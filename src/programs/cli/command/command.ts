import type { Options, PositionalOptions } from 'yargs'
import type { CallName } from '../../../control/admin/calls.js'
import { parseDuration } from '../../../foundation/schema/duration.js'
import { visible } from '../../reports/visible.js'

/** Arguments as yargs read them: flags and operands by name, the words after `--` under `--`. */
export type Arguments = Record<string, unknown>

/** A line of `--help`. `line` is as yargs reads it: names, the first one with its operands. */
interface Listed {
  line: string | string[]
  describe: string
}

export interface Subcommand extends Command, Listed {}

export interface CommandGroup {
  subcommands: Subcommand[]
}

/** A command. Its module is imported only when it is called: a start must not wait for what it does not need. */
export interface Command {
  flags: Record<string, Options>
  /** Operands by the names they have in the command's line of the table. */
  operands?: Record<string, PositionalOptions>
  /** Examples of the words after the command's name, for its help. */
  example?: string | string[] | undefined
  /** The control calls that it can make. */
  calls?: readonly CallName[]
  /** @returns the exit status. @throws CommandFailure */
  run(args: Arguments): Promise<number>
}

export interface CommandEntry extends Listed {
  /** Heading in `--help` of the commands that begin with this one. */
  heading?: string
  load(): Promise<Loaded>
}

export type Loaded = Command | CommandGroup

/** Makes flags. A `path` is that of a file or folder to write, and must not be empty; `texts` may be repeated. */
export const flag = {
  switch: <More extends Options>(describe: string, more?: More) => ({ type: 'boolean', describe, ...more }) as const,
  text: <More extends Options>(describe: string, more?: More) =>
    ({ type: 'string', describe, requiresArg: true, ...more }) as const,
  path: <More extends Options>(describe: string, more?: More) =>
    ({ type: 'string', describe, requiresArg: true, ...more, isPath: true }) as const,
  texts: <More extends Options>(describe: string, more?: More) =>
    ({ type: 'array', string: true, requiresArg: true, describe, ...more }) as const,
}

/** Returns the name and operands of a command: `install <app> <organization>`. */
export const usageOf = ({ line }: Pick<Listed, 'line'>) => [line].flat()[0] as string

export const nameOf = (command: Pick<Listed, 'line'>) => usageOf(command).split(' ', 1)[0] as string

export const isGroup = (loaded: Loaded): loaded is CommandGroup => 'subcommands' in loaded

/** Returns the flags of a command, or of all commands of a group. */
export const flagsOf = (loaded: Loaded): Command['flags'] =>
  isGroup(loaded) ? Object.assign({}, ...loaded.subcommands.map(({ flags }) => flags)) : loaded.flags

/** @throws CommandFailure 2 for an empty path, which would name the working folder or fail only at the end. */
export function mustNamePaths({ flags }: Command, args: Arguments): void {
  for (const [flag, options] of Object.entries(flags))
    if ('isPath' in options && args[flag] === '') throw wrongUse(`--${flag} "": must not be empty`)
}

/** Returns a flag's text, or undefined. */
export function textFrom(args: Arguments, flag: string): string | undefined {
  const value = args[flag]
  return value === undefined ? undefined : String(value)
}

/** Returns the values of a repeatable flag. */
export const textsOf = (given: unknown): string[] => (given === undefined ? [] : [given].flat().map(String))

/** Returns the milliseconds of a flag that takes them or text such as `30s`; undefined without it. @throws CommandFailure 2 */
export function durationFrom(args: Arguments, flag: string): number | undefined {
  const text = textFrom(args, flag)
  if (text === undefined) return undefined
  const duration = /^\d+$/.test(text) ? Number(text) : parseDuration(text)
  if (Number.isNaN(duration))
    throw wrongUse(`--${flag} ${JSON.stringify(text)}: must be a duration: milliseconds, or text such as "30s"`)
  return duration
}

export class CommandFailure extends Error {
  /** @param exitStatus 2 for what the caller wrote, 1 for anything else. control-api: "CLI" */
  constructor(
    readonly exitStatus: number,
    message: string,
  ) {
    super(`mockademy: ${message}`)
    this.name = 'CommandFailure'
  }
}

/** Returns the failure for a flag, operand or file that is not valid. */
export const wrongUse = (message: string) => new CommandFailure(2, message)

/** Returns a failure that is not caused by how the command was called. */
export const failure = (message: string) => new CommandFailure(1, message)

/** Prints a result: as JSON with `--json`, else as text. */
export const printResult = ({ json }: Arguments, result: unknown, text: string): void =>
  void process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : text)

/** Writes a line to standard error, so that it is no part of the output. */
export const printNote = (line: string): void => void process.stderr.write(`${visible(line)}\n`)

/** Writes a line to standard error in the name of the program. */
export const say = (text: string): void => printNote(`mockademy: ${text}`)
