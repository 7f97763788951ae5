import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { resource } from '../../foundation/http/resource-schemas.js'
import { freeForm } from '../../foundation/schema/schema-words.js'
import type { Caller } from '../authentication/authenticate.js'
import { whyMissing } from '../authentication/why-missing.js'
import type { CourseRecord } from '../courses/course-record.js'
import type { MembershipRecord } from '../organizations/membership-record.js'
import { deletedUser } from '../organizations/organizations.js'
import type { CourseMemberRecord } from './course-member-record.js'

/** Returns the membership of that user in the caller's organization. @throws Refusal 404 */
export const findMember = (world: Pick<World, 'store'>, { organization }: Caller, user: string): MembershipRecord =>
  world.store.memberships.get(`${organization}/${user}`) ?? refuseNonMember(world, user, organization)

/** Returns the enrollment of that user in the course. @throws Refusal 404 */
export const findCourseMember = (world: Pick<World, 'store'>, { id }: CourseRecord, user: string): CourseMemberRecord =>
  world.store.course_members.get(`${id}/${user}`) ?? refuseNonMember(world, user, `the course ${id}`)

function refuseNonMember(world: Pick<World, 'store'>, user: string, of: string): never {
  const isUser = world.store.users.get(user) !== undefined
  throw new Refusal('not_found', {
    reason: isUser ? `${user} is not a member of ${of}` : whyMissing(world, 'member', user),
  })
}

/** Returns a user as a member of the organization, made when they joined it. wire: §4 "member": its id is the user's */
export function presentMember(world: Pick<World, 'store'>, organization: string, userId: string) {
  // Someone who has left may have been deleted with a sandbox, or by an earlier release.
  const user = world.store.users.get(userId) ?? deletedUser(userId)
  const membership = world.store.memberships.get(`${organization}/${userId}`)
  const { id, first_name, last_name, full_name, avatar, email, email_verified, last_seen } = user
  return {
    id,
    object: 'member',
    first_name,
    last_name,
    full_name,
    avatar,
    email,
    is_email_verified: email_verified,
    last_seen,
    created_at: (membership ?? user).created_at,
  }
}

/** wire: §4 "course_member": addressed by the member's id */
export function presentCourseMember(world: Pick<World, 'store'>, enrollment: CourseMemberRecord) {
  const { user, organization, course, joined_at, custom_fields, created_at } = enrollment
  const member = presentMember(world, organization, user)
  return { id: user, object: 'course_member', joined_at, member, course, custom_fields, created_at }
}

/** wire: §4 "member" */
export const memberSchema = resource('member', {
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  avatar: z.string().nullable(),
  email: z.string(),
  is_email_verified: z.boolean(),
  last_seen: z.iso.datetime().nullable(),
}).meta({ id: 'Member' })

/** wire: §4 "course_member" */
export const courseMemberSchema = resource('course_member', {
  joined_at: z.iso.datetime(),
  member: memberSchema,
  course: z.string(),
  custom_fields: freeForm,
}).meta({ id: 'CourseMember' })
