import { activityRoutes } from '../activities/activities.routes.js'
import { courseRoutes } from '../courses/courses.routes.js'
import { elementRoutes } from '../elements/elements.routes.js'
import { memberRoutes } from '../members/members.routes.js'
import { moduleRoutes } from '../modules/modules.routes.js'
import type { Route } from '../request.js'

/** Every route of the public API. wire: §3 */
export const apiRoutes: Route[] = [
  ...courseRoutes,
  ...moduleRoutes,
  ...elementRoutes,
  ...memberRoutes,
  ...activityRoutes,
]
