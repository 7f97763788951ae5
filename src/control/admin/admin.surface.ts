import { redactedProblem } from '../../emulator/journal/redacted-problem.js'
import type { Surface } from '../../emulator/serving/surface.js'
import { rejectForeignOrigin, rejectUntrustedHost } from '../../emulator/serving/trusted-host.js'
import type { World } from '../../emulator/world/world.js'
import { bearerOf } from '../../foundation/http/bearer.js'
import { MEGABYTE, Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { isSameSecret } from '../../platform/authentication/same-secret.js'
import { adminRoutes } from './admin.routes.js'
import { consoleRoutes } from './console.routes.js'
import { streamRoute } from './stream.routes.js'

/** `/_consolex` is not below `/_console`. */
const isConsole = (path: string) => path === '/_console' || path.startsWith('/_console/')

const isDocument = (path: string) => path === '/_admin/state' || path === '/_admin/fixtures'

/** The control API and the console. control-api: preamble */
export const adminSurface: Surface = {
  name: 'admin',
  routes: [...adminRoutes, streamRoute, ...consoleRoutes],
  bodyLimit: (path) => (isDocument(path) ? 512 * MEGABYTE : 10 * MEGABYTE),
  beforeRequest(world, request) {
    rejectUntrustedHost(world, request)
    // The console's files hold no data, and what it reads is checked by itself.
    if (!isConsole(request.path)) checkCaller(world, request)
  },
  refuse: redactedProblem,
}

/**
 * Rejects pages of other origins, also of a domain that points at this address (DNS rebinding), and requests without
 * the admin token when one is set. control-api: "Who may call". @throws Refusal 403, 401
 */
function checkCaller(world: World, request: Request): void {
  rejectForeignOrigin(world, request, 'The control API is not served to pages of')
  const { admin_token } = world.settings
  if (admin_token === undefined || isSameSecret(bearerOf(request.headers) ?? '', admin_token)) return
  throw new Refusal('unauthorized', {
    message: 'The control API requires Authorization: Bearer <admin_token>',
    headers: { 'www-authenticate': 'Bearer' },
  })
}
