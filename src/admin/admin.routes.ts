import type { Route } from '../request.js'
import { faultRoutes } from './faults.admin.js'
import { worldRoutes } from './world.admin.js'

/** Every control call. control-api: all of it */
export const adminRoutes: Route[] = [...worldRoutes, ...faultRoutes]
