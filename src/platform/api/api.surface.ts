import { underFaults } from '../../emulator/faults/apply-fault.js'
import { refuse } from '../../emulator/serving/envelope.js'
import type { Route } from '../../emulator/serving/route.js'
import type { Surface } from '../../emulator/serving/surface.js'
import { authenticate, identifyBearer } from '../authentication/authenticate.js'
import type { Scope } from '../authentication/scopes.js'
import { apiRefusalFor } from './injected-refusals.js'
import { countRequest } from './rate-limit.js'

const TEN_MEGABYTES = 10 * 1024 * 1024

/** The public API. spec: §4, wire: §2 */
export const apiSurface = (routes: Route[]): Surface => ({
  name: 'api',
  routes,
  bodyLimit: () => TEN_MEGABYTES,
  beforeRequest: countRequest,
  checkHeaders(world, request, { operation: { open, scope = null } }) {
    if (!open) authenticate(world, request, scope as Scope | null)
  },
  refuse,
  identify: identifyBearer,
  aroundHandler: underFaults,
  refusalFor: apiRefusalFor,
})
