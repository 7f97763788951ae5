import { createCaller } from '../../../control/client/caller.js'
import { openStream, type StreamEvent } from '../../../control/client/event-stream.js'
import { matchesPath } from '../../../foundation/http/path-pattern.js'
import { visible } from '../../reports/visible.js'
import { type Arguments, failure, flag, printNote, type Subcommand, textFrom } from '../command/command.js'
import { addressOf } from '../flags/address.js'
import { abortOnStop } from '../processes/stop-signal.js'
import { flagsOfCall, inputOf, withFlagNames } from './control-command.js'

type Delivery = Extract<StreamEvent, { type: 'delivery' }>['data']

export type EventLine = (event: StreamEvent) => string | undefined

type Filtered = 'countRequests' | 'listDeliveries'
type Filters = Record<string, unknown>

/**
 * Adds `--follow`, which prints events instead, until interrupted.
 * @param call has the filters of the list. @param lineBy by these filters. @param conflicts flags about what is listed already.
 */
export const withFollow = (
  command: Subcommand,
  describe: string,
  call: Filtered,
  lineBy: (filters: Filters) => EventLine,
  conflicts: string[],
): Subcommand => ({
  ...command,
  flags: { ...command.flags, follow: flag.switch(describe, { conflicts }) },
  run: (args) => (args.follow ? follow(args, call, lineBy) : command.run(args)),
})

/** Prints events of the stream, a line each, until interrupted. console: For the terminal */
async function follow(args: Arguments, name: Filtered, lineBy: (filters: Filters) => EventLine): Promise<number> {
  const { url, token } = await addressOf(args)
  const call = createCaller(url, token)
  const { query = {} } = inputOf(name, args)
  // Rejects what the list rejects, such as an app that does not exist.
  await call(name, { query: query as object }).catch((error) => {
    throw withFlagNames(error, name, flagsOfCall(name), args)
  })
  const { run: _, app, method, ...filters } = query
  if (app !== undefined) filters.app = (await call('getApp', { params: { app: String(app) } })).id
  if (method !== undefined) filters.method = String(method).toUpperCase()
  const lineOf = lineBy(filters)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const interrupted = abortOnStop()
  // `--follow | head -1` has what it wanted.
  process.stdout.once('error', () => interrupted.abort())
  const { signal } = interrupted
  const events = await openStream(url, token, { run: textFrom(args, 'run'), signal })
  printNote(`Following ${url} (Ctrl+C ends this)`)
  for await (const event of events) {
    if (event.type === 'gap') {
      print(args.json ? JSON.stringify({ missed: event.data.missed }) : `… ${event.data.missed} missed`)
    }
    const line = lineOf(event)
    if (line !== undefined) print(args.json ? JSON.stringify(event.data) : line)
  }
  if (signal.aborted) return 0
  throw failure(`the emulator at ${url} has stopped`)
}

/** Compares fields with filters of the same names: true when they match all of them. */
export const matchesFilters = (fields: Record<string, unknown>, filters: Filters): boolean =>
  Object.entries(filters).every(([name, value]) =>
    name === 'path' ? matchesPath(String(value), String(fields.path)) : String(fields[name]) === String(value),
  )

export const deliveryLine = ({ id, event, state, organization, attempts }: Delivery) => {
  const last = attempts.at(-1)
  const answer = last ? `  ${last.status ?? '---'}${last.error ? `  ${last.error}` : ''}` : ''
  const when = last ? last.at.slice(11, 19) : '--:--:--'
  return visible(`${when}  ${state.padEnd(12)}  ${event.type}  ${organization}  ${id}${answer}`)
}
