import * as z from 'zod'
import { listPage, payload } from '../../emulator/serving/envelope.js'
import { listOf, pageQuery } from '../../foundation/http/resource-schemas.js'
import { apiRoute, findOwn } from '../authentication/authenticate.js'
import { findElement } from '../elements/elements.js'
import { activitySchema, isBy, presentActivity } from './activities.js'

const reading = { source: 'wire: §3', scope: 'activities:read' } as const
const activityPage = listOf(activitySchema)

const operations = {
  list: { id: 'listActivities', summary: 'List activities', ...reading, query: pageQuery, response: activityPage },
  retrieve: { id: 'retrieveActivity', summary: 'Retrieve an activity', ...reading, response: activitySchema },
  listOfElement: {
    id: 'listElementActivities',
    summary: 'List activities of an element',
    ...reading,
    source: 'spec: §4.1',
    query: pageQuery.extend({
      member: z.string().optional().describe('Only the activities of this member, alone or in a group'),
    }),
    response: activityPage,
  },
}

/** wire: §3 */
export const activityRoutes = [
  apiRoute('GET', '/v0/activities', operations.list, (world, request, caller) =>
    listPage(world, request, caller, {
      records: world.store.activities.in('organization', caller.organization),
      present: (activity) => presentActivity(world, activity),
    }),
  ),
  apiRoute('GET', '/v0/activities/:id', operations.retrieve, (world, { params }, caller) =>
    payload(presentActivity(world, findOwn(world, world.store.activities, 'activity', caller, params.id))),
  ),
  apiRoute('GET', '/v0/elements/:id/activities', operations.listOfElement, (world, request, caller) => {
    const element = findElement(world, caller, request.params.id)
    const member = request.query.get('member')
    return listPage(world, request, caller, {
      filter: { member },
      records: world.store.activities.in('element', element.id),
      present: (activity) => presentActivity(world, activity),
      includes: (activity) => member === null || isBy(activity, member),
    })
  }),
]
