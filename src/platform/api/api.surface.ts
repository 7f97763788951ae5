import { withFaults } from '../../emulator/faults/apply-fault.js'
import { refuse } from '../../emulator/serving/envelope.js'
import { type Route, route, type Surface } from '../../emulator/serving/surface.js'
import type { Notes } from '../../emulator/world/exchange.js'
import { MEGABYTE, type Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { activityRoutes } from '../activities/activities.routes.js'
import { authenticate, identifyBearer } from '../authentication/authenticate.js'
import type { Scope } from '../authentication/scopes.js'
import { courseRoutes } from '../courses/courses.routes.js'
import { elementRoutes } from '../elements/elements.routes.js'
import { memberRoutes } from '../members/members.routes.js'
import { moduleRoutes } from '../modules/modules.routes.js'
import { apiRefusalFor } from './injected-refusals.js'
import { countRequest } from './rate-limit.js'

/** Every route of the public API. wire: §3 */
const routes: Route[] = [
  ...courseRoutes,
  ...moduleRoutes,
  ...elementRoutes,
  ...memberRoutes,
  ...activityRoutes,
  route(
    'GET',
    '/v0/openapi.json',
    { id: 'getOpenApiDocument', summary: 'This document', source: 'wire: §3', open: true },
    async (world) => {
      const { apiDocument } = await import('./api-document.js')
      return { status: 200, body: await apiDocument(world, routes) }
    },
  ),
]

/** The public API. spec: §4, wire: §2 */
export const apiSurface: Surface = {
  name: 'api',
  routes,
  bodyLimit: () => 10 * MEGABYTE,
  beforeRequest: countRequest,
  checkHeaders(world, request, { operation: { open, scope = null } }) {
    if (!open) authenticate(world, request, scope as Scope | null)
  },
  refuse: (refusal, request) => ({ ...refuse(refusal), notes: fromPage(refusal, request) }),
  identify: identifyBearer,
  aroundHandler: withFaults,
  refusalFor: apiRefusalFor,
}

/** Notes that a browser lets no page call `/v0`, which is for backends: it has no CORS headers. */
function fromPage({ refusal }: Refusal, { headers }: Request): Notes {
  const { origin, 'access-control-request-method': preflight } = headers
  if (origin === undefined) return {}
  const isPreflight = preflight !== undefined && refusal === 'method_not_allowed'
  const message = `${isPreflight ? "A browser's CORS preflight" : 'The request'} came from a page of ${origin}. The API sends no CORS headers, because keys and tokens belong in the app's backend: send the request from there`
  return isPreflight ? { reason: message } : { warnings: [{ code: 'api_request_from_page', path: 'Origin', message }] }
}
