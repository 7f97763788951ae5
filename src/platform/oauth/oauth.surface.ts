import { underFaults } from '../../emulator/faults/apply-fault.js'
import type { Surface } from '../../emulator/serving/surface.js'
import type { Identity } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import { claimedApp } from './client-authentication.js'
import { oauthRefusalFor } from './injected-refusals.js'
import { fromBrowser, oauthRoutes } from './oauth.routes.js'
import { refuseOAuth } from './oauth-error.js'

const SIXTY_FOUR_KILOBYTES = 64 * 1024

/** The OAuth and OpenID Connect endpoints that programs call. spec: §4.8, wire: §6 */
export const oauthSurface: Surface = {
  name: 'oauth',
  routes: oauthRoutes,
  bodyLimit: () => SIXTY_FOUR_KILOBYTES,
  refuse: (refusal, request) => ({ ...refuseOAuth(refusal), notes: { warnings: fromBrowser(request) } }),
  identify: identifyClient,
  aroundHandler(context, handler) {
    // Before the faults, which may hold the request.
    context.world.findings.begin(context.request)
    return underFaults(context, handler)
  },
  refusalFor: oauthRefusalFor,
}

/** The app by what it claims to be, and what its code or refresh token is for. */
function identifyClient(world: Pick<World, 'store'>, request: Request): Identity {
  const form = new URLSearchParams(request.body.toString('utf8'))
  const app = claimedApp(world, request, form)?.id
  const grant =
    world.store.tokens.by('secret', form.get('refresh_token') ?? '') ??
    world.store.codes.by('secret', form.get('code') ?? '')
  return { app, organization: grant?.organization, user: grant?.user ?? undefined }
}
