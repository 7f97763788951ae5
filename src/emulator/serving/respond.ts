import { timestamp } from '../../foundation/http/dates.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { performance } from '../../foundation/time/real-timers.js'
import { inTrace, senderIn } from '../world/trace.js'
import type { World } from '../world/world.js'
import type { Arrivals, Beginning } from './arrivals.js'
import type { Response } from './response.js'
import { goesOut, type SerialisedResponse, serialise } from './send.js'
import type { Surface } from './surface.js'
import type { Match, SurfaceRoutes } from './surface-routes.js'

/** A request, and its connection if it has one. */
export interface Arrival {
  request: Request & { params: Record<string, string> }
  /**
   * Reads the body, up to a limit in bytes, and for so many real milliseconds; resolves with false when the client goes
   * away. Undefined when there is none.
   */
  readBody?: ((limit: number, patience?: number) => Promise<boolean>) | undefined
  /** False once the client has gone away. */
  isOpen(): boolean
  /** The client's port. */
  port?: number | undefined
  /** Undefined without a connection. */
  beginning?: Beginning | undefined
}

/** Makes the response of a route, or refuses. @param fault id of an injected one that the request has met. */
export type Handle = (
  world: World,
  match: Match,
  request: Request,
  fault: string | undefined,
) => Response | Promise<Response>

/** A request whose response may be another than the plain one. */
export interface OpenExchange {
  routes: SurfaceRoutes
  match: Match
  request: Arrival['request']
  /** The usual handling. */
  handle: Handle
  /** Makes the response in a world that may have other parts, of another route, and with another handling. */
  respond(world: World, match: Match, handle: Handle): Promise<Response | undefined>
  record(response: SerialisedResponse, match: Match): void
}

/** Bytes of a refused body that the journal keeps, and real milliseconds in which they arrive. control-api: "Journal" */
const JOURNALED = 64 * 1024
const PATIENCE = 100

/** Makes a response with the liberties that are in force, and records it. */
type RespondFreely = (exchange: OpenExchange) => Promise<SerialisedResponse | undefined>

/** Returns what makes the response to a request, undefined where no liberty has to do with it. */
export type FindLiberties = (match: Match, path: string) => RespondFreely | undefined

/**
 * Creates what makes the response to each request of a world, from the headers to the journal entry.
 * @param onInternalError receives errors that are not refusals; the response is a 500 of their surface.
 * @returns a function that resolves with the response to send, undefined when the client has gone away.
 */
export function createResponder(
  world: World,
  arrivals: Arrivals,
  onInternalError: (error: unknown) => void,
  liberties: FindLiberties,
) {
  return async function respond(
    routes: SurfaceRoutes,
    match: Match,
    arrival: Arrival,
  ): Promise<SerialisedResponse | undefined> {
    const { surface } = routes
    const { request, isOpen, port, beginning } = arrival
    const arrivedAt = world.clock.now(null)
    const startedAt = performance.now()
    if (match.found === 'route') request.params = match.params
    const sentIn = senderIn(request.headers)
    const span = world.spans?.begin(sentIn)
    let ended: number | undefined

    return inTrace(span ?? sentIn, async () => {
      const respondFreely = liberties(match, request.path)
      if (respondFreely) return respondFreely({ routes, match, request, handle, respond: respondInOrder, record })
      const made = await respondInOrder(world, match, handle)
      if (!made) return undefined
      const response = serialise(made, surface.identify?.(world, request) ?? {})
      record(response, match)
      return response
    })

    async function respondInOrder(world: World, match: Match, handle: Handle): Promise<Response | undefined> {
      const made = await responseTo(world, surface, match, arrival, handle)
      // Findings are about what an app does: control calls are measured against nothing.
      if (made && surface.name !== 'admin') {
        const moment = arrivals.beforeResponse(made.broken ? 500 : made.status, beginning, performance.now())
        // Hardly any response waits, and a needless await costs each of them a turn of the microtasks.
        ended = typeof moment === 'number' ? moment : await moment
      }
      return made
    }

    function record(response: SerialisedResponse, match: Match): void {
      const { method, path, search, headers, body, client } = request
      const { identity } = response
      const route = match.found === 'route' ? match.route : undefined
      // No spreads: an object of one shape is several times as fast.
      world.journal.record({
        at: timestamp(world.clock.at(identity.organization ?? null, arrivedAt)),
        surface: surface.name,
        method,
        path,
        search,
        status: isOpen() && goesOut(response) ? response.status : null,
        duration: performance.now() - startedAt,
        client,
        client_port: port,
        began: beginning?.began,
        free: beginning?.free,
        ended,
        sentIn,
        span: span && { ...span, parent: sentIn?.span_id },
        sender: world.scenarios.isOwn(client, port) ? 'scenario' : undefined,
        route: route?.path,
        operation: route?.operation.id,
        scope: route?.operation.scope,
        broken: response.broken !== undefined,
        identity,
        notes: response.notes ?? {},
        request: { headers, body },
        response: { headers: response.headers, body: response.body },
      })
    }
  }

  /** The response to a request, refusals of every kind included; undefined when its client has gone away. */
  async function responseTo(
    world: World,
    surface: Surface,
    match: Match,
    arrival: Arrival,
    handle: Handle,
  ): Promise<Response | undefined> {
    const { request, readBody } = arrival
    const route = match.found === 'route' ? match.route : undefined
    const refuse = (error: unknown) => refusalResponse(world, surface, request, error)
    try {
      const added = surface.beforeRequest?.(world, request)

      // The cheap questions come first. What is refused by then is read for the journal alone, and not waited for.
      const refusal = route && readBody && refusalBy(() => surface.checkHeaders?.(world, request, route))
      const reading = route && !refusal ? readBody?.(surface.bodyLimit(request.path)) : readBody?.(JOURNALED, PATIENCE)
      if (reading && !(await reading)) return undefined

      const handler = async (fault?: string): Promise<Response> => {
        try {
          if (refusal) throw refusal
          return await handle(world, match, request, fault)
        } catch (error) {
          return refuse(error)
        }
      }
      const context = { world, surface, request, route }
      const response = await (surface.aroundHandler?.(context, handler) ?? handler())
      return added ? { ...response, headers: { ...added, ...response.headers } } : response
    } catch (error) {
      return refuse(error)
    }
  }

  function handle(world: World, match: Match, request: Request): Response | Promise<Response> {
    switch (match.found) {
      case 'route':
        return match.route.handler(world, request)
      case 'other methods':
        throw new Refusal('method_not_allowed', { headers: { allow: match.allow.join(', ') } })
      case 'nothing':
        throw new Refusal('not_found', {
          reason: `There is no route ${request.path}${hintOn(request.path, match.near)}`,
        })
      case 'undecodable':
        throw new Refusal('invalid', { message: 'The path is not valid percent-encoding' })
      case 'repeated host':
        throw new Refusal('invalid', { message: 'The request has more than one Host header' })
    }
  }

  function refusalResponse(world: World, surface: Surface, request: Request, error: unknown): Response {
    if (!(error instanceof Refusal)) onInternalError(error)
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal('internal', { reason: 'An error in the emulator itself; see its standard error' })
    const { headers, notes, ...response } = surface.refuse(refusal, request, world)
    const reason = refusal.reason ?? notes?.reason ?? refusal.described
    return {
      ...response,
      headers: { ...headers, ...refusal.headers },
      notes: { warnings: refusal.warnings, ...notes, reason },
    }
  }
}

/** Returns what is probably wrong with a path that has no route, to end its reason. control-api: "Journal" */
function hintOn(path: string, near: string | undefined): string {
  if (path.includes('//')) return ': two slashes in a row, as when a base address ends with one'
  if (near !== undefined) return `: the route is ${near}`
  if (path.startsWith('/.well-known/oauth-')) return ': the discovery document is at /.well-known/openid-configuration'
  return ''
}

/** The refusal that a check throws, if any. */
function refusalBy(check: () => void): Refusal | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
