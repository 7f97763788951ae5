import { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import type { World } from '../world/world.js'
import { pathOf } from './incoming-request.js'
import { createResponder, type Match } from './respond.js'
import type { Route } from './route.js'
import { RouteTable } from './route-table.js'
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
  IncomingMessage: typeof IncomingMessage
  ServerResponse: typeof ServerResponse
  listen(request: IncomingMessage, response: ServerResponse): void
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
  const app = express()
  app.disable('x-powered-by').disable('etag')
  const respond = createResponder(world, onInternalError)

  const answer = ({ surface, table }: Mounted, path: string, req: IncomingMessage, res: ServerResponse) => {
    const found = table.find(path)
    if (found === undefined || found === 'undecodable') return respond(surface, { found: found ?? 'nothing' }, req, res)
    const { routes, allow } = found.target
    const route = routes.get(req.method ?? '')
    const match: Match = route ? { found: 'route', route, params: found.params } : { found: 'other methods', allow }
    return respond(surface, match, req, res)
  }
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    const path = pathOf(req)
    const entry = entries.find(({ owns }) => owns(path)) as SurfaceEntry
    const mounted = mountedBy.get(entry) ?? (await mount(entry))
    await answer(mounted, path, req, res)
  }
  // In place of express's own router, which tries the pattern of every route in turn.
  Object.defineProperty(app, 'router', { value: { handle } })
  return {
    ...classesFor(app),
    // Every request is answered: nothing is left for express's last handler, which it makes anew for each when none is given.
    listen: (req, res) => app(req as express.Request, res as express.Response, nothingLeft),
  }
}

const nothingLeft = () => {}

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

/**
 * Classes whose prototypes are those that the app gives to its requests and responses. It sets them on every request
 * otherwise, and an object whose prototype changes is a slow one for the rest of its life: a quarter of the throughput.
 */
function classesFor(app: express.Express): Pick<Listener, 'IncomingMessage' | 'ServerResponse'> {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.defineProperties(AppRequest.prototype, Object.getOwnPropertyDescriptors(express.request))
  Object.defineProperties(AppResponse.prototype, Object.getOwnPropertyDescriptors(express.response))
  Object.assign(AppRequest.prototype, { app })
  Object.assign(AppResponse.prototype, { app })
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse as typeof ServerResponse }
}
