import type * as z from 'zod'
import type { Request } from '../../foundation/http/request.js'
import type { World } from '../world/world.js'
import type { Response } from './response.js'

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
