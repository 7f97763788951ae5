import type { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import type { Identity, SurfaceName } from '../world/exchange.js'
import type { World } from '../world/world.js'
import type { InjectedRefusal } from './injected-refusal.js'
import type { Response } from './response.js'
import type { Route } from './route.js'

/** A request and where it is handled. */
export interface RequestContext {
  world: World
  surface: Surface
  request: Request
  /** Undefined when the request's path or method led to none. */
  route: Route | undefined
}

/** One of the faces of the emulator: its routes, and how it refuses. `respond.ts` calls these in the order given here. */
export interface Surface {
  name: SurfaceName
  routes: Route[]
  /** Runs first; the headers that it returns are added to every response. @throws Refusal */
  beforeRequest?(world: World, request: Request): Record<string, string> | undefined
  /** Refuses what the headers alone give reason to, before a body is read. @throws Refusal */
  checkHeaders?(world: World, request: Request, route: Route): void
  /** In bytes. */
  bodyLimit(path: string): number
  /** Runs the handler, or something else instead of or after it: where injected faults act, whose id the handler gets. */
  aroundHandler?(context: RequestContext, handler: (fault?: string) => Promise<Response>): Promise<Response>
  /** Writes a refusal in the surface's own form. */
  refuse(refusal: Refusal, request: Request, world: World): Response
  identify?(world: World, request: Request): Identity
  /** The refusal that the platform has under this name (`rate_limited`) or for this status: for injected faults. */
  refusalFor?(name: InjectedRefusal | number, context: RequestContext): Refusal | undefined
}

/** The paths of a surface, as express's `app.use` takes them, and its loader, called with the first request. */
export interface SurfaceMount {
  at: string | RegExp | (string | RegExp)[]
  load(): Promise<Surface>
}
