import type { Route, Surface } from '../request.js'
import { errorPage } from './error-page.js'
import { signedIn } from './sessions.js'

const SIXTY_FOUR_KILOBYTES = 64 * 1024

/** What a person sees of the platform; owns every path that no other surface does. */
export const webSurface = (routes: Route[]): Surface => ({
  name: 'web',
  owns: () => true,
  routes,
  bodyLimit: () => SIXTY_FOUR_KILOBYTES,
  refuse: (refusal, request, world) => errorPage(refusal, signedIn(world, request)?.user),
  identify(world, request) {
    const user = signedIn(world, request)?.user.id
    return user === undefined ? {} : { user }
  },
})
