import * as z from 'zod'
import { type Route, route } from '../http/route.js'
import { ok, optionalBodyOf, queryOf, strict } from './answer.js'
import { appRoutes } from './apps.admin.js'
import { clockRoutes } from './clock.admin.js'
import { deliveryRoutes } from './deliveries.admin.js'
import { eventRoutes } from './events.admin.js'
import { faultRoutes } from './faults.admin.js'
import { inboxRoutes } from './inboxes.admin.js'
import { installationRoutes } from './installations.admin.js'
import { keyRoutes } from './keys.admin.js'
import { organizationRoutes } from './organizations.admin.js'
import { requestRoutes } from './requests.admin.js'
import { sessionRoutes } from './sessions.admin.js'
import { silentAuthRoutes } from './silent-auth.admin.js'
import { tokenRoutes } from './tokens.admin.js'
import { userRoutes } from './users.admin.js'
import { worldRoutes } from './world.admin.js'

const nothing = strict({})

/** What a call does not read is refused like any other unknown field. control-api: rule 3 */
const refusingTheUnread = (call: Route): Route => {
  const { query, body, open } = call.operation
  if (open) return call
  return {
    ...call,
    handler(world, request) {
      if (!query) queryOf(request, nothing)
      if (!body) optionalBodyOf(request, nothing)
      return call.handler(world, request)
    },
  }
}

/** Every control call. control-api: all of it */
export const adminRoutes: Route[] = [
  ...worldRoutes,
  ...clockRoutes,
  ...organizationRoutes,
  ...userRoutes,
  ...faultRoutes,
  ...requestRoutes,
  ...appRoutes,
  ...installationRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...inboxRoutes,
  ...tokenRoutes,
  ...sessionRoutes,
  ...silentAuthRoutes,
  ...keyRoutes,
  route(
    'GET',
    '/_admin/openapi.json',
    { id: 'adminDocument', summary: 'This document', source: 'control-api: preamble', answer: z.looseObject({}) },
    async (world) => {
      const { adminDocument } = await import('./admin-document.js')
      return ok(adminDocument(world, adminRoutes))
    },
  ),
].map(refusingTheUnread)
