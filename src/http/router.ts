import type { IncomingMessage } from 'node:http'
import express from 'express'
import type { World } from '../world/world.js'
import { pathOf } from './incoming-request.js'
import { createResponder, type Match } from './respond.js'
import type { Surface } from './surface.js'

/**
 * Mounts the surfaces in order on an express app: from a path to a surface and what it has there.
 * @param onInternalError told of an error that is not a refusal; it is answered as a 500 of its surface.
 */
export function createListener(world: World, surfaces: Surface[], onInternalError: (error: unknown) => void) {
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing')
  const respond = createResponder(world, onInternalError)

  const surfaceOf = (req: IncomingMessage): Surface => {
    const path = pathOf(req)
    const surface = surfaces.find((candidate) => candidate.owns(path))
    if (!surface) throw new Error(`No surface owns ${path}: the last one must own whatever the others do not`)
    return surface
  }

  for (const surface of surfaces) {
    for (const path of new Set(surface.routes.map((route) => route.path))) {
      const routes = surface.routes.filter((route) => route.path === path)
      const methods = [...new Set(routes.flatMap((route) => route.methods))]
      // What answers GET answers HEAD.
      const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      // Not `app.all`, which makes a layer for each of 35 methods.
      app.route(path).all((req, res) => {
        const method = req.method === 'HEAD' ? 'GET' : req.method
        const route = routes.find((candidate) => (candidate.methods as string[]).includes(method))
        const params = req.params as Record<string, string>
        return respond(surface, route ? { found: 'route', route, params } : { found: 'other methods', allow }, req, res)
      })
    }
  }
  app.use((req, res) => respond(surfaceOf(req), { found: 'nothing' }, req, res))
  const failed: express.ErrorRequestHandler = (error, req, res, _next) => {
    const match: Match = error?.status === 400 ? { found: 'undecodable' } : { found: 'an error', error }
    return respond(surfaceOf(req), match, req, res)
  }
  app.use(failed)
  return app
}
