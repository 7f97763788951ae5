import { problem } from '../http/problem.js'
import type { Route } from '../http/route.js'
import type { Surface } from '../http/surface.js'
import { admitToAdmin } from './access.js'

const TEN_MEGABYTES = 10 * 1024 * 1024
const HALF_A_GIGABYTE = 512 * 1024 * 1024

const isDocument = (path: string) => path === '/_admin/state' || path === '/_admin/fixtures'

/** The control API. control-api: preamble */
export const adminSurface = (routes: Route[]): Surface => ({
  name: 'admin',
  owns: (path) => path === '/healthz' || path === '/_admin' || path.startsWith('/_admin/'),
  routes,
  bodyLimit: (path) => (isDocument(path) ? HALF_A_GIGABYTE : TEN_MEGABYTES),
  admit: (world, request) => (request.path === '/healthz' ? {} : admitToAdmin(world, request)),
  refuse: problem,
})
