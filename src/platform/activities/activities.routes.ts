import * as z from 'zod'
import { listPage, payload } from '../../emulator/serving/envelope.js'
import type { World } from '../../emulator/world/world.js'
import { listOf, pageQuery, resource } from '../../foundation/http/resource-schemas.js'
import * as words from '../../foundation/schema/schema-words.js'
import { apiRoute, findOwn } from '../authentication/authenticate.js'
import type { ElementRecord } from '../elements/element-record.js'
import { findElement, presentContext } from '../elements/elements.js'
import { wireTypeSchema } from '../elements/type-names.js'
import { memberSchema, presentMember } from '../members/members.js'
import { type ActivityRecord, activityFields } from './activity-record.js'

/** Returns true when the member did it, alone or in a group. wire: §3 `?member=` */
const isBy = ({ member, members }: ActivityRecord, id: string): boolean =>
  member === id || (members?.includes(id) ?? false)

/** `member` for an individual, `members` for a group, never both. spec: §2.4, wire: §4 */
function presentActivity(world: Pick<World, 'settings' | 'store'>, activity: ActivityRecord) {
  const { id, organization, timestamp, status, passed, score, completed_by, member, members, responses } = activity
  const show = (user: string) => presentMember(world, organization, user)
  return {
    id,
    object: 'activity',
    timestamp,
    status,
    passed,
    score,
    completed_by,
    ...(members === null ? { member: show(member as string) } : { members: members.map(show) }),
    context: presentContext(world, world.store.elements.get(activity.element) as ElementRecord),
    meta: { responses },
    created_at: activity.created_at,
  }
}

const { status, passed, score, responses } = words.withoutDefaults(activityFields(words))

const commonFields = {
  timestamp: z.iso.datetime(),
  status,
  passed,
  score,
  completed_by: z.string().nullable(),
  context: z.strictObject({
    id: z.string(),
    object: z.literal('element'),
    name: z.string(),
    type: wireTypeSchema,
    position: z.int().min(0),
    module: z.string(),
  }),
  meta: z.strictObject({ responses }),
}

/** wire: §4 "activity": of an individual or of a group */
const activitySchema = z
  .union([
    resource('activity', { ...commonFields, member: memberSchema }).meta({ id: 'IndividualActivity' }),
    resource('activity', { ...commonFields, members: z.array(memberSchema) }).meta({ id: 'GroupActivity' }),
  ])
  .meta({ id: 'Activity' })

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
