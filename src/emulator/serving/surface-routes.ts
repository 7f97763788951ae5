import { RouteTable } from '../../foundation/http/route-table.js'
import type { Route, Surface } from './surface.js'

/** The routes of one path by method, and the methods of its `Allow` header. */
interface PathRoutes {
  routes: Map<string, Route>
  allow: string[]
}

export interface SurfaceRoutes {
  surface: Surface
  paths: RouteTable<PathRoutes>
}

/** The result of looking for a request's route. */
export type Match =
  | { found: 'route'; route: Route; params: Record<string, string> }
  | { found: 'other methods'; allow: string[] }
  /** `hint` ends the reason with what is probably wrong with the path. */
  | { found: 'nothing'; hint?: string }
  | { found: 'undecodable' }
  | { found: 'repeated host' }

/** Indexes the routes of a surface by their paths. A route for GET serves HEAD too. */
export function routesOf(surface: Surface): SurfaceRoutes {
  const byPath = new Map<string, PathRoutes>()
  for (const route of surface.routes) {
    const at: PathRoutes = byPath.get(route.path) ?? { routes: new Map(), allow: [] }
    byPath.set(route.path, at)
    for (const method of route.methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]))) {
      if (!at.routes.has(method)) at.allow.push(method)
      at.routes.set(method, route)
    }
  }
  const paths = new RouteTable<PathRoutes>()
  for (const [path, routes] of byPath) paths.add(path, routes)
  return { surface, paths }
}

/** Finds the route of a request. The order of refusals is the platform's: 404 before 405 (wire: §2). */
export function matchRoute({ paths }: SurfaceRoutes, method: string, path: string): Match {
  const found = paths.find(path)
  if (found === 'undecodable') return { found }
  if (found === undefined) return { found: 'nothing' }
  const { routes, allow } = found.target
  const route = routes.get(method)
  return route ? { found: 'route', route, params: found.params } : { found: 'other methods', allow }
}
