import type { Route } from '../request.js'

export const inboxRoutes: Route[] = []
