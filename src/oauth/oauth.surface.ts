import type { Route, Surface } from '../request.js'
import { refuse } from './oauth-error.js'

const SIXTY_FOUR_KILOBYTES = 64 * 1024

/** The OAuth and OpenID Connect endpoints. spec: §4.8, wire: §6 */
export const oauthSurface = (routes: Route[]): Surface => ({
  name: 'oauth',
  owns: (path) => path.startsWith('/oauth/') || path.startsWith('/.well-known/'),
  routes,
  bodyLimit: () => SIXTY_FOUR_KILOBYTES,
  refuse,
})
