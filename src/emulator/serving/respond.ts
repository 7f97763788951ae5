import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody, readBody } from '../../foundation/http/body-reader.js'
import type { DirectRequest } from '../../foundation/http/direct-request.js'
import { IncomingRequest } from '../../foundation/http/incoming-request.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import type { World } from '../world/world.js'
import type { Response } from './response.js'
import type { Route } from './route.js'
import { isAnswered, type Serialised, send, serialised } from './sender.js'
import type { Surface } from './surface.js'

/** What a request's path led to: a route, a path that knows other methods, nothing, or a path that cannot be decoded. */
export type Match =
  | { found: 'route'; route: Route; params: Record<string, string> }
  | { found: 'other methods'; allow: string[] }
  | { found: 'nothing' }
  | { found: 'undecodable' }

/**
 * What answers the requests of a world: judges the headers, reads the body if it is wanted, does the work, turns a
 * refusal into a response of its surface, writes the journal and sends.
 * @param onInternalError told of an error that is not a refusal; it is answered as a 500 of its surface.
 */
export function createResponder(world: World, onInternalError: (error: unknown) => void) {
  return (surface: Surface, match: Match, req: IncomingMessage, res: ServerResponse): Soon<void> => {
    const at = world.clock.timestamp()
    const startedAt = performance.now()
    const params = match.found === 'route' ? match.params : {}
    const request = new IncomingRequest(req, res, params, world.closing)
    const body = hasBody(req) ? (limit: number) => readBody(request, limit) : undefined
    return afterwards(responseTo(world, surface, match, { request, body }, onInternalError), (made) => {
      if (!made) return
      const response = serialised(made)
      const status = isAnswered(response, res) ? response.status : null
      enter(world, surface, match, request, response, { at, startedAt, status, port: req.socket.remotePort })
      if (!res.destroyed) return send(response, request, res, world.clock.now())
    })
  }
}

/** The same for a request that is made in this process, without a connection. */
export function createDirectResponder(world: World, onInternalError: (error: unknown) => void) {
  return async (surface: Surface, match: Match, request: DirectRequest): Promise<Serialised> => {
    const at = world.clock.timestamp()
    const startedAt = performance.now()
    if (match.found === 'route') request.params = match.params
    const made = await responseTo(world, surface, match, { request, body: undefined }, onInternalError)
    const response = serialised(made as Response)
    enter(world, surface, match, request, response, { at, startedAt, status: response.status, port: undefined })
    return response
  }
}

/** What there is to say of a request beside itself and its response. */
interface ExchangeFacts {
  at: string
  /** By `performance.now()`. */
  startedAt: number
  /** Null when no response goes out. */
  status: number | null
  port: number | undefined
}

function enter(
  world: World,
  surface: Surface,
  match: Match,
  request: Request,
  response: Serialised,
  { at, startedAt, status, port }: ExchangeFacts,
): void {
  const { method, path, search, headers, body } = request
  world.journal.record({
    at,
    surface: surface.name,
    method,
    path,
    search,
    status,
    duration: performance.now() - startedAt,
    client: request.client,
    client_port: port,
    sender: world.scenarios.isOwn(request.client, port) ? 'scenario' : undefined,
    scope: match.found === 'route' ? match.route.operation.scope : undefined,
    identity: surface.identify?.(world, request) ?? {},
    notes: response.notes ?? {},
    request: { headers, body },
    response: { headers: response.headers, body: response.body },
  })
}

/** Now, where nothing has to be waited for: most requests are answered before the next one is read. */
type Soon<T> = T | Promise<T>

/** A request whose body may still be on its way. */
interface Arriving {
  request: Request
  /** Reads the body, up to a limit in bytes; resolves with false when the client goes away. Undefined when none is coming. */
  body: ((limit: number) => Promise<boolean>) | undefined
}

/** The response to a request, refusals of every kind included; undefined when its client went away. */
function responseTo(
  world: World,
  surface: Surface,
  match: Match,
  { request, body }: Arriving,
  onInternalError: (error: unknown) => void,
): Soon<Response | undefined> {
  const refused = (error: unknown): Response => {
    const refusal = error instanceof Refusal ? error : internal(error, onInternalError)
    const response = surface.refuse(refusal, request, world)
    const reason = refusal.reason ?? response.notes?.reason ?? inWords(refusal)
    return { ...response, headers: { ...response.headers, ...refusal.headers }, notes: { ...response.notes, reason } }
  }
  return rescued(refused, () => {
    const added = surface.admit?.(world, request)
    const route = match.found === 'route' ? match.route : undefined
    const respond = (refusal?: Refusal): Soon<Response> => {
      const work = () =>
        rescued(refused, () => {
          if (refusal) throw refusal
          return handle(world, match, request)
        })
      const interception = surface.intercept?.({ world, surface, request, route })
      const response = interception ? interception(work) : work()
      return added ? afterwards(response, (made) => ({ ...made, headers: { ...added, ...made.headers } })) : response
    }
    // Without a body there is nothing to save: the handler asks the same question once.
    if (!route || !body) return respond()
    const refusal = judgeHeaders(world, surface, request, route)
    if (refusal) return respond(refusal)
    return afterwards(body(surface.bodyLimit(request.path)), (arrived) => (arrived ? respond() : undefined))
  })
}

const afterwards = <T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> =>
  value instanceof Promise ? value.then(next) : next(value)

function rescued<T>(rescue: (error: unknown) => T, work: () => Soon<T>): Soon<T> {
  try {
    const done = work()
    return done instanceof Promise ? done.catch(rescue) : done
  } catch (error) {
    return rescue(error)
  }
}

/** What a request is refused with before its body is read, if anything: the cheap questions come first. */
function judgeHeaders(world: World, surface: Surface, request: Request, route: Route): Refusal | undefined {
  try {
    surface.authorize?.(world, request, route)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function handle(world: World, match: Match, request: Request): Response | Promise<Response> {
  switch (match.found) {
    case 'route':
      return match.route.handler(world, request)
    case 'other methods':
      throw new Refusal('method_not_allowed', { headers: { allow: match.allow.join(', ') } })
    case 'nothing':
      throw new Refusal('not_found', { reason: `There is no route ${request.path}` })
    case 'undecodable':
      throw new Refusal('invalid', { message: 'The path is not valid percent-encoding' })
  }
}

const inWords = ({ message, details }: Refusal) =>
  details?.length
    ? `${message}: ${details.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`
    : message

function internal(error: unknown, onInternalError: (error: unknown) => void): Refusal {
  onInternalError(error)
  return new Refusal('internal', { reason: 'An error in the emulator itself; see its standard error' })
}
