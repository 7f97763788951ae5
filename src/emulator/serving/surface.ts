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

/** A part of the emulator with its own paths and error format. `respond.ts` calls its functions, `faults/` calls `refusalFor`. */
export interface Surface {
  name: SurfaceName
  routes: Route[]
  /** Runs first; the headers that it returns are added to every response. @throws Refusal */
  beforeRequest?(world: World, request: Request): Record<string, string> | undefined
  /** Rejects a request by its headers before its body is read; not called without a body, so the handler checks again. @throws Refusal */
  checkHeaders?(world: World, request: Request, route: Route): void
  /** Returns the largest body that a path takes, in bytes. */
  bodyLimit(path: string): number
  /** Wraps the handler: injected faults act here, and pass their id to it. */
  aroundHandler?(context: RequestContext, handler: (fault?: string) => Promise<Response>): Promise<Response>
  /** Writes a refusal in the surface's own format. */
  refuse(refusal: Refusal, request: Request, world: World): Response
  identify?(world: World, request: Request): Identity
  /** Returns the surface's refusal for a fault that names one (`rate_limited`) or a status. */
  refusalFor?(name: InjectedRefusal | number, context: RequestContext): Refusal | undefined
}

/** The paths of a surface, as express's `app.use` takes them, and its loader, called with the first request. */
export interface SurfaceMount {
  at: string | RegExp | (string | RegExp)[]
  load(): Promise<Surface>
}
