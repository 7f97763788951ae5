import * as http from 'node:http'
import express from 'express'
import { type DirectCall, DirectRequest } from '../../foundation/http/direct-request.js'
import { pathOf } from '../../foundation/http/incoming-request.js'
import { RouteTable } from '../../foundation/http/route-table.js'
import type { World } from '../world/world.js'
import { createDirectResponder, createResponder, type Match } from './respond.js'
import type { Route } from './route.js'
import type { Serialised } from './sender.js'
import type { Surface, SurfaceEntry } from './surface.js'

/** The routes of one path, and the methods that they answer. */
interface Place {
  routes: Map<string, Route>
  allow: string[]
}

/** A surface that has been loaded. */
interface Mounted {
  surface: Surface
  table: RouteTable<Place>
}

/** The classes of the requests and responses of a server, and what answers them. */
export interface Listener {
  IncomingMessage: typeof http.IncomingMessage
  ServerResponse: typeof http.ServerResponse
  listen(request: http.IncomingMessage, response: http.ServerResponse): void
  /** Answers a request of this very process, sparing the way over a connection. */
  dispatch(call: DirectCall): Promise<{ status: number; headers: Serialised['headers']; text: string }>
}

/**
 * Mounts the surfaces on an express app: from a path to a surface and what it has there.
 * @param entries every path is somebody's: the last one owns whatever the others do not.
 * @param onInternalError told of an error that is not a refusal; it is answered as a 500 of its surface.
 */
export function createListener(
  world: World,
  entries: SurfaceEntry[],
  onInternalError: (error: unknown) => void,
): Listener {
  const respond = createResponder(world, onInternalError)

  const respondDirectly = createDirectResponder(world, onInternalError)

  const ownerOf = (path: string) => entries.find(({ owns }) => owns(path)) as SurfaceEntry
  const handle = (req: http.IncomingMessage, res: http.ServerResponse): void | Promise<void> => {
    const path = pathOf(req)
    const entry = ownerOf(path)
    const answer = (mounted: Mounted) => respond(mounted.surface, matchOf(mounted, req.method ?? '', path), req, res)
    const mounted = mountedBy.get(entry)
    return mounted ? answer(mounted) : mount(entry).then(answer)
  }
  // What is to come next is given with each request, so that all emulators of a process share one app and its classes.
  return {
    ...classes,
    listen: (req, res) => app(req as express.Request, res as express.Response, () => handle(req, res)),
    async dispatch(call) {
      const request = new DirectRequest(call, call.signal ?? world.closing)
      const mounted = await mount(ownerOf(request.path))
      const match = matchOf(mounted, request.method, request.path)
      const { status, headers, body = '' } = await respondDirectly(mounted.surface, match, request)
      return { status, headers, text: body.toString() }
    },
  }
}

function matchOf({ table }: Mounted, method: string, path: string): Match {
  const found = table.find(path)
  if (found === undefined || found === 'undecodable') return { found: found ?? 'nothing' }
  const { routes, allow } = found.target
  const route = routes.get(method)
  return route ? { found: 'route', route, params: found.params } : { found: 'other methods', allow }
}

/** Of all emulators of the process. */
const mountedBy = new Map<SurfaceEntry, Mounted>()

/** Loads a surface, unless it has been. */
export async function mount(entry: SurfaceEntry): Promise<Mounted> {
  const before = mountedBy.get(entry)
  if (before) return before
  const surface = await entry.load()
  const mounted = mountedBy.get(entry) ?? { surface, table: tableOf(surface) }
  mountedBy.set(entry, mounted)
  return mounted
}

function tableOf({ routes }: Surface): RouteTable<Place> {
  const places = new Map<string, Place>()
  for (const route of routes) {
    const place: Place = places.get(route.path) ?? { routes: new Map(), allow: [] }
    places.set(route.path, place)
    // What answers GET answers HEAD.
    for (const method of route.methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]))) {
      if (!place.routes.has(method)) place.allow.push(method)
      place.routes.set(method, route)
    }
  }
  const table = new RouteTable<Place>()
  for (const [path, place] of places) table.add(path, place)
  return table
}

const app = createApp()
const classes = classesFor(app)

/** An express app with a router that hands everything on: express's own tries the pattern of every route in turn. */
function createApp(): express.Express {
  const made = express()
  made.disable('x-powered-by').disable('etag')
  const router = { handle: (_req: http.IncomingMessage, _res: http.ServerResponse, next: () => void) => next() }
  return Object.defineProperty(made, 'router', { value: router })
}

/**
 * Classes whose prototypes are those that the app gives to its requests and responses. It sets them on every request
 * otherwise, and an object whose prototype changes is a slow one for the rest of its life: a quarter of the throughput.
 */
function classesFor(app: express.Express): Pick<Listener, 'IncomingMessage' | 'ServerResponse'> {
  class AppRequest extends http.IncomingMessage {}
  class AppResponse extends http.ServerResponse {}
  Object.defineProperties(AppRequest.prototype, Object.getOwnPropertyDescriptors(express.request))
  Object.defineProperties(AppResponse.prototype, Object.getOwnPropertyDescriptors(express.response))
  Object.assign(AppRequest.prototype, { app })
  Object.assign(AppResponse.prototype, { app })
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse as typeof http.ServerResponse }
}
