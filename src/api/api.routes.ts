import { courseRoutes } from '../courses/courses.routes.js'
import type { Route } from '../request.js'

/** Every route of the public API. wire: §3 */
export const apiRoutes: Route[] = [...courseRoutes]
