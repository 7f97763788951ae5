import type { Identity, Request, Route, Surface } from '../request.js'
import { errorPage } from '../web-app/error-page.js'
import { signedIn } from '../web-app/sessions.js'
import type { World } from '../world.js'
import { claimedApp } from './client-authentication.js'
import { refuse } from './oauth-error.js'

const SIXTY_FOUR_KILOBYTES = 64 * 1024
const AUTHORIZE_PATH = '/oauth/authorize'

/** The OAuth and OpenID Connect endpoints. spec: §4.8, wire: §6 */
export const oauthSurface = (routes: Route[]): Surface => ({
  name: 'oauth',
  owns: (path) => path.startsWith('/oauth/') || path.startsWith('/.well-known/'),
  routes,
  bodyLimit: () => SIXTY_FOUR_KILOBYTES,
  // Whoever is at the authorize endpoint is a person; the others are programs.
  refuse: (refusal, request, world) =>
    request.path === AUTHORIZE_PATH ? errorPage(refusal, signedIn(world, request)?.user) : refuse(refusal),
  identify: (world, request) =>
    request.path === AUTHORIZE_PATH ? whoAuthorizes(world, request) : whoAsks(world, request),
})

function whoAuthorizes(world: World, request: Request): Identity {
  const app = world.store.apps.by('client_id', request.query.get('client_id') ?? '')?.id
  const organization = request.query.get('organization')
  const user = signedIn(world, request)?.user.id
  return {
    ...(app !== undefined && { app }),
    ...(organization && { organization }),
    ...(user !== undefined && { user }),
  }
}

/** The app by what it claims to be, and what its code or refresh token is for. */
function whoAsks(world: World, request: Request): Identity {
  const form = new URLSearchParams(request.body.toString('utf8'))
  const app = claimedApp(world, request, form)?.id
  const grant =
    world.store.tokens.by('secret', form.get('refresh_token') ?? '') ??
    world.store.codes.by('secret', form.get('code') ?? '')
  return {
    ...(app !== undefined && { app }),
    ...(grant && { organization: grant.organization }),
    ...(grant?.user && { user: grant.user }),
  }
}
