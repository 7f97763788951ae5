import type { Route, Surface } from '../request.js'

const SIXTY_FOUR_KILOBYTES = 64 * 1024

/** What a person sees of the platform; owns every path that no other surface does. */
export const webSurface = (routes: Route[]): Surface => ({
  name: 'web',
  owns: () => true,
  routes,
  bodyLimit: () => SIXTY_FOUR_KILOBYTES,
  refuse: ({ status, message }) => ({
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: `${message}\n`,
  }),
})
