import type { Route } from '../http/route.js'
import type { Surface } from '../http/surface.js'
import { redactedProblem } from '../journal/redacted-problem.js'

const TEN_MEGABYTES = 10 * 1024 * 1024

/** The built-in receivers that apps' webhooks may name. control-api: "Webhooks" */
export const inboxSurface = (routes: Route[]): Surface => ({
  name: 'inbox',
  routes,
  bodyLimit: () => TEN_MEGABYTES,
  refuse: redactedProblem,
})
