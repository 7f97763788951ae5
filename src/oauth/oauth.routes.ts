import type { Route } from '../request.js'

export const oauthRoutes: Route[] = []
