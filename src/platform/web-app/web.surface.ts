import type { Surface } from '../../emulator/serving/surface.js'
import { admitHost, admitOrigin } from '../../emulator/serving/trusted-host.js'
import { KILOBYTE } from '../../foundation/http/refusal.js'
import { findApp } from '../apps/manifest.js'
import { errorPage } from './error-page.js'
import { sessionOf } from './sessions.js'
import { webRoutes } from './web.routes.js'

/** The pages of the platform. */
export const webSurface: Surface = {
  name: 'web',
  routes: webRoutes,
  bodyLimit: () => 64 * KILOBYTE,
  beforeRequest(world, request) {
    admitHost(world, request)
    if (request.method === 'POST') admitOrigin(world, request, 'This form was sent by a page of')
  },
  refuse: (refusal, request, world) => errorPage(refusal, request, sessionOf(world, request)?.user),
  identify(world, { method, headers, params, query, body }) {
    const app = findApp(world, params.app ?? query.get('client_id') ?? '')?.id
    const picked = method === 'POST' ? new URLSearchParams(body.toString('utf8')).get('organization') : null
    const organization = picked || query.get('organization') || undefined
    return { app, organization, user: sessionOf(world, { headers })?.user.id }
  },
}
