import type { Options } from 'yargs'
import type { CallCommand, Column } from '../../../control/admin/call.js'
import { callFields } from '../../../control/admin/call-fields.js'
import { callTable } from '../../../control/admin/call-table.js'
import type { CallName, CallResult } from '../../../control/admin/calls.js'
import type { CallField } from '../../../control/admin/schema-fields.js'
import { type CallParts, createCaller } from '../../../control/client/caller.js'
import { AdminError } from '../../../control/client/errors.js'
import { ANY_RUN } from '../../../emulator/world/run.js'
import { visible, visibleLines } from '../../reports/visible.js'
import { type Arguments, type Command, flag, type Subcommand } from '../command/command.js'
import { addressOf, controlFlags } from '../flags/address.js'
import { table } from '../terminal/table.js'

interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: object
}

/** Makes a control call. A field or parameter that is undefined is omitted. */
export type CallByName = <N extends CallName>(name: N, parts?: Parts) => Promise<CallResult<N>>

interface ControlCommand<R> extends Partial<Omit<Command, 'run'>> {
  calls: readonly CallName[]
  /** Makes the calls that the arguments ask for. @returns an object, or the items of a list, for printing. */
  request(call: CallByName, args: Arguments, url: string): R
  /** The columns that are printed of the result, or of each item of a list. Everything when left out. */
  shows?: Column[] | undefined
  /** Writes the result as text, instead of `shows`. */
  print?: (result: Awaited<R>, args: Arguments, url: string) => string | Promise<string>
}

/** Returns a command that makes calls of the control API of a running emulator. control-api: "CLI" */
export function control<R>({ request, shows, print, ...command }: ControlCommand<R>): Command {
  return {
    ...command,
    flags: { ...command.flags, ...controlFlags },
    async run(args) {
      const { url, token } = await addressOf(args)
      const make = createCaller(url, token)
      const call: CallByName = (name, parts = {}) =>
        make(name, parts as CallParts<typeof name>).catch((error) => {
          throw withFlagNames(error, name, command.flags ?? {}, args)
        })
      const result = await request(call, args, url)
      const inText = () => (print ? print(result, args, url) : presented(result, shows))
      const text = args.json ? asJson(Array.isArray(result) ? { data: result } : result) : await inText()
      process.stdout.write(`${visibleLines(text.trimEnd())}\n`)
      return 0
    },
  }
}

/** Returns the error of a call, with the flag in place of each field of the query or body that one of these flags gave. */
export function withFlagNames(error: unknown, name: CallName, flags: Command['flags'], args: Arguments): unknown {
  if (!(error instanceof AdminError) || !error.problem.errors) return error
  const errors = error.problem.errors.map(({ path, message }) => {
    const field = callFields[name].find((each) => each.name === path)
    const flag = field && flagNameOf(field)
    return { path: flag && flag in flags && args[flag] !== undefined ? `--${flag}` : path, message }
  })
  return new AdminError(error.status, { ...error.problem, errors })
}

export const subcontrol = <R>(line: string | string[], describe: string, command: ControlCommand<R>): Subcommand => ({
  line,
  describe,
  ...control(command),
})

/** Returns the command that the table of calls has for a call. */
export function commandOf(name: CallName): Subcommand {
  const { summary, command, names } = callTable[name]
  const { line, example, shows } = command as CallCommand
  const operandNames = Array.from(line.matchAll(/[<[](\w+)/g), ([, operand]) => operand as string)
  const flags = flagsOfCall(name)
  const operands = operandNames.map((operand, index) => {
    const describe = Object.values(names)[index] ?? flags[operand]?.describe
    delete flags[operand]
    return [operand, { type: 'string', describe }] as const
  })
  return subcontrol(line.replace(/^\S+ (?=\w)/, ''), summary, {
    flags,
    operands: Object.fromEntries(operands),
    example,
    calls: [name],
    request(call, args) {
      const params = Object.keys(names).map((param, index) => [param, args[operandNames[index] as string]])
      return call(name, { params: Object.fromEntries(params), ...inputOf(name, args) })
    },
    ...(shows === 'json' ? { print: asJson } : { shows }),
  })
}

/** Adds `--runs` to a command that lists something: also what runs of audits and sweeps caused. */
export const withRuns = <C extends Command>(command: C): C => ({
  ...command,
  flags: { ...command.flags, runs: flag.switch('Include traffic of audits and sweeps', { conflicts: 'run' }) },
  run: (args: Arguments) => command.run(args.runs ? { ...args, run: ANY_RUN } : args),
})

/** Returns the flag of a field, without the object that it is in: `--surface` of `match.surface`. `--version` is the program's. */
function flagNameOf({ name }: CallField): string {
  const field = name.slice(name.lastIndexOf('.') + 1)
  return field === 'version' ? 'app-version' : field.replaceAll('_', '-')
}

/** Returns flags for the fields of a call's query or body that a flag can hold. */
export const flagsOfCall = (name: CallName): Record<string, Options> =>
  Object.fromEntries(
    callFields[name]
      .filter((field) => field.kind !== 'json')
      .map((field) => [flagNameOf(field), flagOf(flagNameOf(field), field)]),
  )

function flagOf(name: string, field: CallField): Options {
  const { kind, default: value } = field
  const describe = describeField(field)
  if (kind === 'number') return numberFlag(name, describe)
  if (kind === 'text' || kind === 'duration') return flag.text(describe)
  return value === true ? flag.switch(`${describe} (--no-${name}: do not)`, { default: true }) : flag.switch(describe)
}

function describeField({ name, choices, description, minimum, maximum, default: value }: CallField): string {
  if (choices.length > 1 && choices.length < 7) {
    const values = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
    return value === undefined ? values : `${values}; ${value} when left out`
  }
  const words = name.slice(name.lastIndexOf('.') + 1).replaceAll('_', ' ')
  const described = description.replaceAll('`', '') || `${words[0]?.toUpperCase()}${words.slice(1)}`
  return described + (maximum === undefined ? '' : `, ${minimum} to ${maximum}`)
}

/** Returns the query or body of a call: the given flags and operands that are named like its fields. */
export function inputOf(name: CallName, args: Arguments): Pick<Parts, 'query' | 'body'> {
  const isQuery = callTable[name].method === 'GET'
  const input: Record<string, unknown> = {}
  for (const field of callFields[name]) {
    const given = args[flagNameOf(field)]
    if (given === undefined) continue
    // In a query digits are milliseconds, in a body only a number is.
    const value = !isQuery && field.kind === 'duration' && /^\d+$/.test(String(given)) ? Number(given) : given
    const [outer = '', inner] = field.name.split('.')
    input[outer] = inner === undefined ? value : { ...(input[outer] as object | undefined), [inner]: value }
  }
  return callFields[name].length > 0 ? { [isQuery ? 'query' : 'body']: input } : {}
}

/** Writes a list as a table, and anything else as a line a field. */
export function presented(result: unknown, shows?: Column[]): string {
  const items = [result].flat() as object[]
  const fields = Object.keys(items[0] ?? {})
  const columns = (shows ?? fields).map((column): [string, string] =>
    typeof column === 'string' ? [column, column] : column,
  )
  if (Array.isArray(result)) {
    const rows = items.map((item) => columns.map(([, path]) => cell(at(item, path))))
    const headings = columns.map(([heading]) => heading)
    return items.length > 0 ? table([headings, ...rows]).join('\n') : 'none'
  }
  const known = columns.filter(([, path]) => fields.includes(path.split('.', 1)[0] as string))
  // Some calls of a command return something else, such as a count.
  if (shows && known.length === 0) return presented(result)
  const width = Math.max(...known.map(([heading]) => heading.length))
  return known.map(([heading, path]) => `${heading.padEnd(width)}  ${visible(cell(at(result, path)))}`).join('\n')
}

const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((inner, key) => (Array.isArray(inner) ? inner.at(Number(key)) : (inner as Arguments | null)?.[key]), value)

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(cell).join(' ') || '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const asJson = (result: unknown) => JSON.stringify(result, null, 2)

export const numberFlag = (name: string, describe: string): Options => ({
  type: 'number',
  describe,
  requiresArg: true,
  coerce(number: unknown) {
    if (number === undefined || Number.isFinite(number)) return number
    // yargs reports it as it does every wrong argument.
    throw new Error(`--${name} must be a number`)
  },
})
