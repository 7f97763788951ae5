import * as z from 'zod'
import { listPage, payload } from '../../emulator/serving/envelope.js'
import { route } from '../../emulator/serving/route.js'
import { listOf, pageQuery } from '../../foundation/http/resource-schemas.js'
import { authenticate } from '../authentication/authenticate.js'
import { findElement } from '../elements/elements.js'
import { activitySchema, findActivity, isBy, presentActivity } from './activities.js'

/** wire: §3 */
export const activityRoutes = [
  route(
    'GET',
    '/v0/activities',
    {
      id: 'listActivities',
      summary: 'List activities',
      source: 'wire: §3',
      scope: 'activities:read',
      query: pageQuery,
      answer: listOf(activitySchema),
    },
    (world, request) => {
      const { organization } = authenticate(world, request, 'activities:read')
      const activities = world.store.activities.in('organization', organization)
      return listPage(world, request, { organization }, activities, (activity) => presentActivity(world, activity))
    },
  ),
  route(
    'GET',
    '/v0/activities/:id',
    {
      id: 'retrieveActivity',
      summary: 'Retrieve an activity',
      source: 'wire: §3',
      scope: 'activities:read',
      answer: activitySchema,
    },
    (world, request) => {
      const caller = authenticate(world, request, 'activities:read')
      return payload(presentActivity(world, findActivity(world, caller, request.params.id)))
    },
  ),
  route(
    'GET',
    '/v0/elements/:id/activities',
    {
      id: 'listElementActivities',
      summary: 'List activities of an element',
      source: 'spec: §4.1',
      scope: 'activities:read',
      query: pageQuery.extend({
        member: z.string().optional().describe('Only the activities of this member, alone or in a group'),
      }),
      answer: listOf(activitySchema),
    },
    (world, request) => {
      const caller = authenticate(world, request, 'activities:read')
      const element = findElement(world, caller, request.params.id)
      const member = request.query.get('member')
      return listPage(
        world,
        request,
        { organization: caller.organization, filter: { member } },
        world.store.activities.in('element', element.id),
        (activity) => presentActivity(world, activity),
        (activity) => member === null || isBy(activity, member),
      )
    },
  ),
]
