import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { eventParser, type StreamEvent } from '../../client/event-stream.js'
import { matchesPath } from '../../http/path-pattern.js'
import type { Arguments } from '../command.js'
import { CommandFailure } from '../command-failure.js'
import { urlOf } from '../control-call.js'

type DataOf<T extends StreamEvent['type']> = Extract<StreamEvent, { type: T }>['data']
export type Request = DataOf<'request'>
export type Delivery = DataOf<'delivery'>

interface Following<T extends 'request' | 'delivery'> {
  type: T
  /** Which of them are printed. */
  matches(data: DataOf<T>): boolean
  line(data: DataOf<T>): string
}

/** Prints events of the stream, a line each, until interrupted. console: For the terminal */
export async function follow<T extends 'request' | 'delivery'>(args: Arguments, what: Following<T>): Promise<number> {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  await eachEvent(args, (event) => {
    if (event.type === 'gap')
      print(args.json ? JSON.stringify({ missed: event.data.missed }) : `… ${event.data.missed} missed`)
    if (event.type !== what.type) return
    const data = event.data as DataOf<T>
    if (what.matches(data)) print(args.json ? JSON.stringify(data) : what.line(data))
  })
  return 0
}

/** Resolves when interrupted. @throws CommandFailure when the emulator refuses or goes away. */
async function eachEvent(args: Arguments, take: (event: StreamEvent) => void): Promise<void> {
  const url = urlOf(args)
  const isHttps = url.startsWith('https:')
  // Not fetch: it cannot be told of the local certificate authority.
  const ca = isHttps ? (await import('../../tls/authority.js')).trustedAuthorities() : undefined
  const token = (args['admin-token'] as string | undefined) ?? process.env.MOCKADEMY_ADMIN_TOKEN
  const headers = { accept: 'text/event-stream', ...(token && { authorization: `Bearer ${token}` }) }
  await new Promise<void>((resolve, reject) => {
    const gone = () => reject(new CommandFailure(1, `mockademy: the emulator at ${url} has gone`))
    const request = (isHttps ? requestHttps : requestHttp)(`${url}/_admin/stream`, { agent: false, ca, headers })
    const stop = () => {
      resolve()
      request.destroy()
    }
    request.on('response', (response) => {
      response.setEncoding('utf8')
      if (response.statusCode !== 200) {
        response.resume()
        return reject(new CommandFailure(1, `mockademy: the stream was refused with ${response.statusCode}`))
      }
      process.stderr.write(`Following ${url} (Ctrl+C ends this)\n`)
      const parse = eventParser()
      response.on('data', (piece: string) => parse(piece).forEach(take))
      response.on('end', gone)
      response.on('error', gone)
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        new CommandFailure(1, `mockademy: no answer from ${url} (${error.code ?? error.message}); is it running?`),
      ),
    )
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
    request.end()
  })
}

/** Whether it fits the flags that name fields of it. */
export const fits = (fields: Record<string, unknown>, given: Record<string, unknown>): boolean =>
  Object.entries(given).every(([name, value]) =>
    name === 'path' ? matchesPath(String(value), String(fields.path)) : String(fields[name]) === String(value),
  )

const time = (at: string) => at.slice(11, 19)

export const requestLine = ({ at, surface, method, path, status, organization, fault, reason, request }: Request) => {
  const event = (request.body as { type?: unknown } | null)?.type
  const what = surface === 'webhook' ? `out ${event ?? ''} ${path}` : `${method} ${path}`
  const notes = [organization, fault && `fault ${fault}`, reason].filter(Boolean).join('  ')
  return `${time(at)}  ${String(status ?? '---')}  ${what}${notes && `  ${notes}`}`
}

export const deliveryLine = ({ id, event, state, organization, attempts }: Delivery) => {
  const last = attempts.at(-1)
  const answer = last ? `  ${last.status ?? '---'}${last.error ? `  ${last.error}` : ''}` : ''
  return `${last ? time(last.at) : '--:--:--'}  ${state.padEnd(12)}  ${event.type}  ${organization}  ${id}${answer}`
}
