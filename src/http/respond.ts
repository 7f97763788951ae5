import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Exchange } from '../world/exchange.js'
import type { World } from '../world/world.js'
import { hasBody, readBody } from './body-reader.js'
import { IncomingRequest } from './incoming-request.js'
import { Refusal } from './refusal.js'
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
  | { found: 'an error'; error: unknown }

/**
 * What answers the requests of a world: judges the headers, reads the body if it is wanted, does the work, turns a
 * refusal into a response of its surface, writes the journal and sends.
 * @param onInternalError told of an error that is not a refusal; it is answered as a 500 of its surface.
 */
export function createResponder(world: World, onInternalError: (error: unknown) => void) {
  return async (surface: Surface, match: Match, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const at = world.clock.timestamp()
    const startedAt = performance.now()
    const params = match.found === 'route' ? match.params : {}
    const request = new IncomingRequest(req, res, params, world.closing)
    const made = await responseTo(world, surface, match, request, onInternalError)
    if (!made) return
    const response = serialised(made)
    const scope = match.found === 'route' ? match.route.operation.scope : undefined
    enter(world, surface, request, response, { at, duration: performance.now() - startedAt, scope, res })
    if (!res.destroyed) await send(response, request, res, world.clock.now())
  }
}

function enter(
  world: World,
  surface: Surface,
  request: IncomingRequest,
  response: Serialised,
  { at, duration, scope, res }: Pick<Exchange, 'at' | 'duration' | 'scope'> & { res: ServerResponse },
): void {
  const { method, path, search, headers, body } = request
  const port = request.message.socket.remotePort
  world.journal.record({
    at,
    surface: surface.name,
    method,
    path,
    search,
    status: isAnswered(response, res) ? response.status : null,
    duration,
    client: request.client,
    client_port: port,
    sender: world.scenarios.isOwn(request.client, port) ? 'scenario' : undefined,
    scope,
    identity: surface.identify?.(world, request) ?? {},
    notes: response.notes ?? {},
    request: { headers, body },
    response: { headers: response.headers, body: response.body },
  })
}

/** The response to a request, refusals of every kind included; undefined when its client went away. */
async function responseTo(
  world: World,
  surface: Surface,
  match: Match,
  request: IncomingRequest,
  onInternalError: (error: unknown) => void,
): Promise<Response | undefined> {
  const refused = (error: unknown): Response => {
    const refusal = error instanceof Refusal ? error : internal(error, onInternalError)
    const response = surface.refuse(refusal, request, world)
    const reason = refusal.reason ?? response.notes?.reason ?? inWords(refusal)
    return { ...response, headers: { ...response.headers, ...refusal.headers }, notes: { ...response.notes, reason } }
  }
  try {
    const added = surface.admit?.(world, request)
    const route = match.found === 'route' ? match.route : undefined
    const sendsBody = hasBody(request.message)
    // Without a body there is nothing to save: the handler asks the same question once.
    const refusal = route && sendsBody ? judgeHeaders(world, surface, request, route) : undefined
    if (route && !refusal && sendsBody) {
      const arrived = await readBody(request, surface.bodyLimit(request.path))
      if (!arrived) return undefined
    }
    const work = async (): Promise<Response> => {
      try {
        if (refusal) throw refusal
        return await handle(world, match, request)
      } catch (error) {
        return refused(error)
      }
    }
    const scene = { world, surface, request, route }
    const response = await (surface.intercept?.(scene, work) ?? work())
    return added ? { ...response, headers: { ...added, ...response.headers } } : response
  } catch (error) {
    return refused(error)
  }
}

/** What a request is refused with before its body is read, if anything: the cheap questions come first. */
function judgeHeaders(world: World, surface: Surface, request: IncomingRequest, route: Route): Refusal | undefined {
  try {
    surface.authorize?.(world, request, route)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function handle(world: World, match: Match, request: IncomingRequest): Response | Promise<Response> {
  switch (match.found) {
    case 'route':
      return match.route.handler(world, request)
    case 'other methods':
      throw new Refusal('method_not_allowed', { headers: { allow: match.allow.join(', ') } })
    case 'nothing':
      throw new Refusal('not_found', { reason: `There is no route ${request.path}` })
    case 'undecodable':
      throw new Refusal('invalid', { message: 'The path is not valid percent-encoding' })
    case 'an error':
      throw match.error
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
