import type { SurfaceRoutes } from './surface-routes.js'

/** Paths of other platforms, and what is here instead. */
const elsewhere: [path: RegExp, hint: string][] = [
  [/^\/\.well-known\/oauth-/, 'the discovery document is at /.well-known/openid-configuration'],
  [/\/jwks(\.json)?$|^\/(oauth|\.well-known|discovery)\b.*\/(keys|certs)$/, 'the keys are at /.well-known/jwks.json'],
  [/\/userinfo$/, "the platform has no userinfo endpoint, and the id_token has the user's claims"],
]

/** Repairs of common slips. */
const repairs: ((path: string) => string)[] = [
  // `/elements`, `/token`
  (path) => `/v0${path}`,
  (path) => `/oauth${path}`,
  // `/api/v0/elements`, `/v0/oauth/token`
  (path) => path.replace(/^\/[^/]+/, ''),
  // `/v1/elements`, `/oauth2/token`
  (path) => path.replace(/^\/[^/]+/, '/v0'),
  (path) => path.replace(/^\/[^/]+/, '/oauth'),
  // `/v0/Elements`, `/v0/element/x`
  (path) => path.replace(/^\/v0\/[^/]+/, (start) => start.toLowerCase()),
  (path) => path.replace(/^\/v0\/[^/]+/, '$&s'),
]

/** Characters of the longest path that is compared with the routes. */
const MAX_COMPARED = 300

/** Returns what is probably wrong with a path that has no route; undefined if unknown. control-api: "Journal" */
export function hintOn(method: string, path: string, surfaces: SurfaceRoutes[]): string | undefined {
  if (path.length > MAX_COMPARED) return undefined
  const routesAt = (candidate: string) =>
    surfaces.map(({ paths }) => paths.find(candidate)).find((found) => typeof found === 'object')?.target.routes
  const routeAt = (candidate: string) => routesAt(candidate)?.get(method)?.path
  const isWithoutId = routeAt(path.replace(/\/(?=\/|$)/g, '/id')) !== undefined
  if (path.includes('//')) {
    return isWithoutId ? 'an id in it is empty' : 'two slashes in a row, as when a base address ends with one'
  }
  const bare = path.replace(/\/$/, '')
  if (bare !== path && routesAt(bare) && !(isWithoutId && !routeAt(bare))) return `the route is ${bare}`
  // A path that leads to the start page is no near miss.
  const route = repairs.map((repair) => routeAt(repair(path))).find((each) => each !== undefined && each !== '/')
  if (route !== undefined) return `the route is ${route}`
  return isWithoutId ? 'the id at its end is empty' : elsewhere.find(([pattern]) => pattern.test(path))?.[1]
}
