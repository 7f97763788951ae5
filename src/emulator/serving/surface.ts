import type { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import type { Identity, SurfaceName } from '../world/exchange.js'
import type { World } from '../world/world.js'
import type { Response } from './response.js'
import type { Route } from './route.js'

/** A request and where it is handled. */
export interface RequestScene {
  world: World
  surface: Surface
  request: Request
  /** What the request's path led to, if anything. */
  route: Route | undefined
}

/** Does the work of a request, or something else instead. */
export type Interception = (work: () => Response | Promise<Response>) => Promise<Response>

/** One of the faces of the emulator: its routes, and how it refuses. */
export interface Surface {
  name: SurfaceName
  routes: Route[]
  /** In bytes. */
  bodyLimit(path: string): number
  /** Before anything else; what it returns is added to the headers of every response. @throws Refusal */
  admit?(world: World, request: Request): Record<string, string>
  /** Before the body is read: whether the headers let the request in at all. @throws Refusal */
  authorize?(world: World, request: Request, route: Route): void
  refuse(refusal: Refusal, request: Request, world: World): Response
  identify?(world: World, request: Request): Identity
  /** What comes in the way of a request's work, if anything does: where injected faults act. */
  intercept?(scene: RequestScene): Interception | undefined
  /** What the platform refuses with under this name (`rate_limited`), or with this status: for injected faults. */
  refusalFor?(name: InjectedRefusal | number, scene: RequestScene): Refusal | undefined
}

/** Which paths are a surface's, with or without a route, and where it comes from when the first request for it does. */
export interface SurfaceEntry {
  owns(path: string): boolean
  load(): Promise<Surface>
}

/** Refusals that a fault may ask for by name. control-api: "Faults" */
export type InjectedRefusal = 'rate_limited' | 'token_expired' | 'token_revoked' | 'insufficient_scope' | 'unavailable'
