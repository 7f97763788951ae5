import type { Options, PositionalOptions } from 'yargs'
import type { Arguments, Command, Subcommand } from '../command.js'
import { CommandFailure } from '../command-failure.js'
import { controlCall, controlFlags, urlOf } from '../control-call.js'
import { table } from '../table.js'

/** A call of the control API. A field or parameter that is undefined is left out. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, unknown>
  body?: object
}

interface ControlCommand {
  flags?: Record<string, Options>
  operands?: Record<string, PositionalOptions>
  /** The call that the arguments ask for; `send` makes another one first, to find what this one needs. */
  call(args: Arguments, send: (call: Call) => Promise<unknown>): Call | Promise<Call>
  /** What is shown of an answer, or of each item of a list: dotted paths. Everything when left out. */
  shows?: string[]
  /** Instead of `shows`: the answer as text. */
  print?(answer: unknown, args: Arguments): string | Promise<string>
}

/** A command that is one call of the control API of a running emulator. control-api: "CLI" */
export function control({ flags = {}, operands, call, shows, print }: ControlCommand): Command {
  return {
    flags: { ...flags, ...controlFlags },
    ...(operands && { operands }),
    async run(args) {
      const send = (asked: Call) => answerTo(asked, args)
      const answer = await send(await call(args, send))
      const text = args.json
        ? JSON.stringify(answer, null, 2)
        : print
          ? await print(answer, args)
          : presented(answer, shows)
      process.stdout.write(`${text.trimEnd()}\n`)
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

/** @throws CommandFailure 1 with what the emulator says against it. */
async function answerTo({ method, path, query = {}, body }: Call, args: Arguments): Promise<unknown> {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const search = new URLSearchParams(given).toString()
  const answer = await controlCall({
    url: urlOf(args),
    method,
    path: path + (search && `?${search}`),
    body,
    adminToken: (args['admin-token'] as string | undefined) ?? process.env.MOCKADEMY_ADMIN_TOKEN,
  })
  if (answer.status >= 400) throw refused(answer)
  return answer.body
}

function refused({ status, body }: { status: number; body: unknown }): CommandFailure {
  const { title, detail, errors } = (body ?? {}) as {
    title?: string
    detail?: string
    errors?: { path: string; message: string }[]
  }
  const faults = (errors ?? []).map(({ path, message }) => `\n  ${path}${path ? ': ' : ''}${message}`)
  return new CommandFailure(1, `mockademy: ${detail ?? title ?? `the answer was ${status}`}${faults.join('')}`)
}

/** A list as a table, anything else a line a field. */
function presented(answer: unknown, shows: string[] | undefined): string {
  const { data } = (answer ?? {}) as { data?: object[] }
  if (Array.isArray(data)) {
    const paths = shows ?? Object.keys(data[0] ?? {})
    const rows = data.map((item) => paths.map((path) => cell(at(item, path))))
    return data.length > 0 ? table(paths, rows).join('\n') : 'none'
  }
  const all = Object.keys(answer as object)
  // Some calls of a command answer with something else, such as how many there were.
  const known = (shows ?? all).filter((path) => all.includes(path.split('.', 1)[0] as string))
  const paths = known.length > 0 ? known : all
  const width = Math.max(...paths.map((path) => path.length))
  return paths.map((path) => `${path.padEnd(width)}  ${cell(at(answer, path))}`).join('\n')
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value)

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(cell).join(' ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A flag that takes text. */
export const textFlag = (describe: string): Options => ({ type: 'string', describe, requiresArg: true })

/** Flags under the names that the fields of the control API have, `client_id` as `--client-id`. */
export const flagsOf = (fields: Record<string, Options>): Record<string, Options> =>
  Object.fromEntries(Object.entries(fields).map(([name, options]) => [toFlag(name), options]))

/** The given ones of these fields. */
export const pick = (args: Arguments, fields: string[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.filter((name) => args[toFlag(name)] !== undefined).map((name) => [name, args[toFlag(name)]]),
  )

const toFlag = (field: string) => field.replaceAll('_', '-')

/** A name as a part of a path. */
export const inPath = (name: unknown) => encodeURIComponent(String(name))
