import { redactedProblem } from '../../emulator/journal/redacted-problem.js'
import type { Route } from '../../emulator/serving/route.js'
import type { Surface } from '../../emulator/serving/surface.js'
import { admitHost } from '../../emulator/serving/trusted-host.js'
import { isBelow } from '../../foundation/http/is-below.js'
import { admitToAdmin } from './access.js'

const TEN_MEGABYTES = 10 * 1024 * 1024
const HALF_A_GIGABYTE = 512 * 1024 * 1024

const isDocument = (path: string) => path === '/_admin/state' || path === '/_admin/fixtures'

/** The control API. control-api: preamble */
export const adminSurface = (routes: Route[]): Surface => ({
  name: 'admin',
  routes,
  bodyLimit: (path) => (isDocument(path) ? HALF_A_GIGABYTE : TEN_MEGABYTES),
  beforeRequest: (world, request) => {
    // The console's files hold no data: what it reads by them is judged on its own.
    if (!isBelow(request.path, '/_console')) return admitToAdmin(world, request)
    admitHost(world, request)
    return {}
  },
  refuse: redactedProblem,
})
