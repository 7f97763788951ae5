import { type Route, route } from '../request.js'
import { ok } from './answer.js'

/** control-api: "World" */
export const worldRoutes: Route[] = [
  route(
    'GET',
    '/healthz',
    { id: 'health', summary: 'Whether it serves', source: 'control-api: World', open: true },
    () => ok({ status: 'ok' }),
  ),
]
