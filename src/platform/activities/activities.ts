import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { resource } from '../../foundation/http/resource-schemas.js'
import * as words from '../../foundation/schema/schema-words.js'
import type { ElementRecord } from '../elements/element-record.js'
import { presentContext } from '../elements/elements.js'
import { wireTypeSchema } from '../elements/type-names.js'
import { memberSchema, presentMember } from '../members/members.js'
import { type ActivityRecord, activityFields } from './activity-record.js'

/** Returns true when the member did it, alone or in a group. wire: §3 `?member=` */
export const isBy = ({ member, members }: ActivityRecord, id: string): boolean =>
  member === id || (members?.includes(id) ?? false)

/** `member` for an individual, `members` for a group, never both. spec: §2.4, wire: §4 */
export function presentActivity(world: Pick<World, 'settings' | 'store'>, activity: ActivityRecord) {
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

const { responses, ...ownFields } = words.withoutDefaults(activityFields(words))

const commonFields = {
  timestamp: z.iso.datetime(),
  ...ownFields,
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
export const activitySchema = z
  .union([
    resource('activity', { ...commonFields, member: memberSchema }).meta({ id: 'IndividualActivity' }),
    resource('activity', { ...commonFields, members: z.array(memberSchema) }).meta({ id: 'GroupActivity' }),
  ])
  .meta({ id: 'Activity' })
