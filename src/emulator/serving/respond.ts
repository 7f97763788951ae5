import { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { performance } from '../../foundation/time/real-timers.js'
import { MAX_JOURNALED_BODY } from '../world/exchange.js'
import { inTrace, senderIn } from '../world/trace.js'
import type { World } from '../world/world.js'
import type { ArrivalOrder, Arrivals } from './arrivals.js'
import type { Response } from './response.js'
import { goesOut, type SerializedResponse, serialize } from './send.js'
import type { Surface } from './surface.js'
import type { Match, SurfaceRoutes } from './surface-routes.js'

/** A request, and its connection if it has one. */
export interface Arrival {
  request: Request & { params: Record<string, string> }
  /**
   * Reads the body, up to a limit in bytes, and for so many real milliseconds; resolves with false when the client
   * disconnects. Undefined when there is none.
   */
  readBody?: ((limit: number, timeout?: number) => Promise<boolean>) | undefined
  /** False once the client has gone away. */
  isOpen(): boolean
  /** The client's port. */
  port?: number | undefined
  /** Undefined without a connection. */
  order?: ArrivalOrder | undefined
}

/** Calls the route's handler. @param fault id of the injected fault that acts on the request. @throws Refusal */
export type Handle = (
  world: World,
  match: Match,
  request: Request,
  fault: string | undefined,
) => Response | Promise<Response>

interface Handling {
  world: World
  handler: Handle
}

/** A request whose response liberties may change. */
export interface LibertyExchange {
  routes: SurfaceRoutes
  match: Match
  request: Arrival['request']
  /**
   * Handles the request by a route.
   * @param begin called when the body has been read; not for a request that is refused without it.
   */
  handleAndSettle(match: Match, begin: () => Handling): Promise<Response | undefined>
  record(response: SerializedResponse, match: Match): void
}

type LibertyResponder = (exchange: LibertyExchange) => Promise<SerializedResponse | undefined>

/** Returns the responder that applies the liberties to a request; undefined where none has to do with it. */
export type CurrentLiberties = (match: Match, path: string) => LibertyResponder | undefined

/** Real milliseconds in which the body of a refused request is read for the journal. control-api: "Journal" */
const JOURNAL_TIMEOUT = 100

/**
 * Creates the function that responds to the requests of a world and records them in the journal.
 * @param onInternalError receives errors that are not refusals; the response is a 500 of their surface.
 * @returns a function that resolves with the response to send, undefined when the client has disconnected.
 */
export function createResponder(
  baseWorld: World,
  arrivals: Arrivals,
  onInternalError: (error: unknown) => void,
  liberties: CurrentLiberties,
) {
  return async function respond(
    routes: SurfaceRoutes,
    match: Match,
    arrival: Arrival,
  ): Promise<SerializedResponse | undefined> {
    const { surface } = routes
    const { request, isOpen, port, order } = arrival
    const arrivedAt = baseWorld.clock.now(null)
    const startedAt = performance.now()
    if (match.found === 'route') request.params = match.params
    const sentIn = senderIn(request.headers)
    const span = baseWorld.spans?.begin(sentIn)
    let respondedAfter: number | undefined

    return inTrace(span ?? sentIn, async () => {
      const respondWithLiberties = liberties(match, request.path)
      if (respondWithLiberties) return respondWithLiberties({ routes, match, request, handleAndSettle, record })
      const response = await handleAndSettle(match, () => ({ world: baseWorld, handler: callRoute }))
      if (!response) return undefined
      const serialized = serialize(response, surface.identify?.(baseWorld, request) ?? {})
      record(serialized, match)
      return serialized
    })

    /** Handles the request, then waits until its response may be sent, see `Arrivals`. */
    async function handleAndSettle(match: Match, begin: () => Handling): Promise<Response | undefined> {
      const response = await handleRequest(surface, match, arrival, begin)
      // Findings judge apps only, so control calls need no order.
      if (response && surface.name !== 'admin') {
        const checkpoints = arrivals.beforeResponse(response.broken ? 500 : response.status, order, performance.now())
        // Most responses do not wait, and an unneeded await would cost each a microtask.
        respondedAfter = typeof checkpoints === 'number' ? checkpoints : await checkpoints
      }
      return response
    }

    function record(response: SerializedResponse, match: Match): void {
      const { method, path, search, headers, body, exceededLimit, client } = request
      const { identity } = response
      const route = match.found === 'route' ? match.route : undefined
      // No spread of optional fields: objects of one shape are several times as fast.
      baseWorld.journal.record({
        at: new Date(baseWorld.clock.at(identity.organization ?? null, arrivedAt)).toISOString(),
        surface: surface.name,
        method,
        path,
        search,
        status: isOpen() && goesOut(response) ? response.status : null,
        duration: performance.now() - startedAt,
        client,
        client_port: port,
        receivedAfter: order?.receivedAfter,
        sentAfter: order?.sentAfter,
        respondedAfter,
        sentIn,
        span: span && { ...span, parent: sentIn?.span_id },
        sender: baseWorld.scenarios.isOwn(client, port) ? 'scenario' : undefined,
        route: route?.path,
        operation: route?.operation.id,
        scope: route?.operation.scope,
        broken: response.broken !== undefined,
        identity,
        notes: response.notes ?? {},
        // Of a body that is too large only the beginning is here, if anything.
        request: {
          headers,
          body,
          length: exceededLimit === undefined ? undefined : Number(headers['content-length'] ?? body.length),
        },
        response: { headers: response.headers, body: response.body },
      })
    }
  }

  /** Returns the response to a request, refusals included; undefined when its client has disconnected. */
  async function handleRequest(
    surface: Surface,
    match: Match,
    arrival: Arrival,
    begin: () => Handling,
  ): Promise<Response | undefined> {
    const { request, readBody } = arrival
    const route = match.found === 'route' ? match.route : undefined
    const refuse = (error: unknown) => refusalResponse(surface, request, error)
    let added: Record<string, string> | undefined
    let response: Response
    try {
      added = surface.beforeRequest?.(baseWorld, request)

      // Headers first. The body of a request refused by then is read for the journal only, for `JOURNAL_TIMEOUT`.
      const refusal = route && readBody && refusalBy(() => surface.checkHeaders?.(baseWorld, request, route))
      const reading =
        route && !refusal
          ? readBody?.(surface.bodyLimit(request.path))
          : readBody?.(MAX_JOURNALED_BODY, JOURNAL_TIMEOUT)
      if (reading && !(await reading)) return undefined

      const { world, handler } = begin()
      const guarded = async (fault?: string): Promise<Response> => {
        try {
          if (refusal) throw refusal
          return await handler(world, match, request, fault)
        } catch (error) {
          return refuse(error)
        }
      }
      const context = { world, surface, request, route }
      response = await (surface.aroundHandler?.(context, guarded) ?? guarded())
    } catch (error) {
      response = refuse(error)
    }
    return added ? { ...response, headers: { ...added, ...response.headers } } : response
  }

  function refusalResponse(surface: Surface, request: Request, error: unknown): Response {
    if (!(error instanceof Refusal)) onInternalError(error)
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal('internal', { reason: 'An error in the emulator itself; see its standard error' })
    const { headers, notes, ...response } = surface.refuse(refusal, request, baseWorld)
    const reason = notes?.reason ?? refusal.reason ?? refusal.described
    return {
      ...response,
      headers: { ...headers, ...refusal.headers },
      notes: { ...notes, warnings: [...refusal.warnings, ...(notes?.warnings ?? [])], reason },
    }
  }
}

/** Calls the handler of the matched route. @throws Refusal where there is none */
export function callRoute(world: World, match: Match, request: Request): Response | Promise<Response> {
  switch (match.found) {
    case 'route':
      return match.route.handler(world, request)
    case 'other methods':
      throw new Refusal('method_not_allowed', {
        headers: { allow: match.allow.join(', ') },
        reason: `${request.path} allows ${match.allow.join(', ')}, not ${request.method}`,
      })
    case 'nothing':
      throw new Refusal('not_found', {
        reason: `There is no route ${request.path}${match.hint ? `: ${match.hint}` : ''}`,
      })
    case 'undecodable':
      throw new Refusal('invalid', { message: 'The path is not valid percent-encoding' })
    case 'repeated host':
      throw new Refusal('invalid', { message: 'The request has more than one Host header' })
  }
}

function refusalBy(check: () => void): Refusal | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
