import type { Route } from '../request.js'

export const webRoutes: Route[] = []
