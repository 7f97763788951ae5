import { type Route, route } from '../../emulator/serving/route.js'
import { activityRoutes } from '../activities/activities.routes.js'
import { courseRoutes } from '../courses/courses.routes.js'
import { elementRoutes } from '../elements/elements.routes.js'
import { memberRoutes } from '../members/members.routes.js'
import { moduleRoutes } from '../modules/modules.routes.js'

/** Every route of the public API. wire: §3 */
export const apiRoutes: Route[] = [
  ...courseRoutes,
  ...moduleRoutes,
  ...elementRoutes,
  ...memberRoutes,
  ...activityRoutes,
  route(
    'GET',
    '/v0/openapi.json',
    { id: 'getOpenApiDocument', summary: 'This document', source: 'wire: §3', open: true },
    async (world) => {
      const { apiDocument } = await import('./api-document.js')
      return { status: 200, body: apiDocument(world, apiRoutes) }
    },
  ),
]
