import { redactedProblem } from '../../emulator/journal/redacted-problem.js'
import type { Route } from '../../emulator/serving/route.js'
import type { Surface } from '../../emulator/serving/surface.js'

const TEN_MEGABYTES = 10 * 1024 * 1024

/** The built-in receivers that apps' webhooks may name. control-api: "Webhooks" */
export const inboxSurface = (routes: Route[]): Surface => ({
  name: 'inbox',
  routes,
  bodyLimit: () => TEN_MEGABYTES,
  refuse: redactedProblem,
})
