import type { Options, PositionalOptions } from 'yargs'
import type { CallName } from '../../../control/admin/calls.js'
import { type CallParts, createCaller } from '../../../control/client/caller.js'
import { visible, visibleLines } from '../../reports/visible.js'
import { addressOf, controlFlags } from '../address.js'
import type { Arguments, Command, Subcommand } from '../command.js'
import { configFlag } from '../config.js'
import { table } from '../table.js'

interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: object
}

/** Makes a control call; what comes back is for printing. A field or parameter that is undefined is left out. */
export type CallByName = (name: CallName, parts?: Parts) => Promise<unknown>

interface ControlCommand {
  flags?: Record<string, Options>
  operands?: Record<string, PositionalOptions>
  example?: string
  /** The control calls that it can make; the first one, with no parts, where `answer` is left out. */
  calls: readonly [CallName, ...CallName[]]
  /** Makes the calls that the arguments ask for. @returns what is to be printed: an object, or the items of a list. */
  answer?(call: CallByName, args: Arguments, url: string): Promise<unknown>
  /** What is shown of an answer, or of each item of a list: dotted paths. Everything when left out. */
  shows?: string[]
  /** Instead of `shows`: the answer as text. */
  print?(answer: unknown, args: Arguments): string | Promise<string>
}

/** A command that makes calls of the control API of a running emulator. control-api: "CLI" */
export function control(command: ControlCommand): Command {
  const { flags = {}, operands, example, calls, shows, print } = command
  const answer = command.answer ?? ((call: CallByName) => call(calls[0]))
  return {
    flags: { ...flags, ...controlFlags, ...configFlag },
    ...(operands && { operands }),
    ...(example && { example }),
    calls,
    async run(args) {
      const { url, token } = await addressOf(args)
      const make = createCaller(url, token)
      const call: CallByName = (name, parts = {}) => make(name, parts as CallParts<CallName>)
      const result = await answer(call, args, url)
      const text = args.json
        ? JSON.stringify(Array.isArray(result) ? { data: result } : result, null, 2)
        : print
          ? await print(result, args)
          : presented(result, shows)
      process.stdout.write(`${visibleLines(text.trimEnd())}\n`)
      return 0
    },
  }
}

/** The same as a command of a command. */
export const subcontrol = (line: string | string[], describe: string, command: ControlCommand): Subcommand => ({
  line,
  describe,
  ...control(command),
})

/** A list as a table, anything else a line a field. */
export function presented(answer: unknown, shows: string[] | undefined): string {
  if (Array.isArray(answer)) {
    const items = answer as object[]
    const paths = shows ?? Object.keys(items[0] ?? {})
    const rows = items.map((item) => paths.map((path) => cell(at(item, path))))
    return items.length > 0 ? table(paths, rows).join('\n') : 'none'
  }
  const all = Object.keys(answer as object)
  // Some calls of a command answer with something else, such as how many there were.
  const known = (shows ?? all).filter((path) => all.includes(path.split('.', 1)[0] as string))
  const paths = known.length > 0 ? known : all
  const width = Math.max(...paths.map((path) => path.length))
  return paths.map((path) => `${path.padEnd(width)}  ${visible(cell(at(answer, path)))}`).join('\n')
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value)

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(cell).join(' ') || '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const asJson = (answer: unknown) => JSON.stringify(answer, null, 2)

/** A flag that takes text. */
export const textFlag = (describe: string): Options => ({ type: 'string', describe, requiresArg: true })

/** A flag that takes a number. */
export const numberFlag = (name: string, describe: string): Options => ({
  type: 'number',
  describe,
  requiresArg: true,
  coerce(given: unknown) {
    const number = [given].flat().at(-1)
    if (number === undefined || Number.isFinite(number)) return number
    // yargs makes it a finding of its own, with the status of every wrong argument.
    throw new Error(`--${name} must be a number`)
  },
})

/** Flags under the names that the fields of the control API have, `client_id` as `--client-id`. */
export const flagsOf = (fields: Record<string, Options>): Record<string, Options> =>
  Object.fromEntries(Object.entries(fields).map(([name, options]) => [toFlag(name), options]))

/** The given ones of these fields. */
export const pick = (args: Arguments, fields: string[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.filter((name) => args[toFlag(name)] !== undefined).map((name) => [name, args[toFlag(name)]]),
  )

const toFlag = (field: string) => field.replaceAll('_', '-')
