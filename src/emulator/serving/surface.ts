import type * as z from 'zod'
import type { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import type { Identity, SurfaceName } from '../world/exchange.js'
import type { World } from '../world/world.js'
import type { InjectedRefusal } from './injected-refusal.js'
import type { Response } from './response.js'

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

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** The description of a route in the OpenAPI documents, made of the schemas that validate. */
export interface Operation {
  /** Unique in its surface; the method's name in the typed client for control calls. */
  id: string
  summary: string
  /** Its source: `spec: §4.4`, `wire: §3`, `control-api: Clock`. */
  source: string
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodType
  /** True when a request must have a body. By default it must where an empty object is not valid. */
  bodyRequired?: boolean
  /** True for a GET that reads a body too, which OpenAPI cannot describe. */
  readsBody?: boolean
  response?: z.ZodType
  /** Status of success; 200 when left out. */
  status?: number
  /** Media type of success; JSON when left out. */
  mediaType?: string
  /** The scope that an install token needs; null when no token is enough (`/v0` only). */
  scope?: string | null
  /** True when no credential is required. */
  open?: boolean
}

export type ParamsOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

export type Handler<P extends string = string> = (world: World, request: Request<P>) => Response | Promise<Response>

export interface Route {
  methods: Method[]
  path: string
  operation: Operation
  handler: Handler
}

/** A route without its handler, for an OpenAPI document. */
export type RouteDescription = Omit<Route, 'handler'>

/** Returns a path as OpenAPI and reports write it: `/v0/courses/{id}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** Returns one route: `route('GET', '/v0/elements/:id', {…}, (world, request) => …)`; several methods are one list. */
export function route<const P extends string>(
  methods: Method | Method[],
  path: P,
  operation: Operation,
  handler: Handler<ParamsOf<P>>,
): Route {
  return { methods: [methods].flat(), path, operation, handler: handler as Handler }
}
