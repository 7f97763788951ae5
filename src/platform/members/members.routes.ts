import { listPage, payload } from '../../emulator/serving/envelope.js'
import { route } from '../../emulator/serving/route.js'
import { listOf, pageQuery } from '../../foundation/http/resource-schemas.js'
import { authenticate } from '../authentication/authenticate.js'
import { findCourse } from '../courses/courses.js'
import {
  courseMemberSchema,
  findCourseMember,
  findMember,
  memberSchema,
  presentCourseMember,
  presentMember,
} from './members.js'

/** wire: §3 */
export const memberRoutes = [
  route(
    'GET',
    '/v0/members',
    {
      id: 'listMembers',
      summary: "List the organization's members",
      source: 'wire: §3',
      scope: 'members:read',
      query: pageQuery,
      answer: listOf(memberSchema),
    },
    (world, request) => {
      const { organization } = authenticate(world, request, 'members:read')
      const memberships = world.store.memberships.in('organization', organization)
      return listPage(world, request, { organization }, memberships, ({ user }) =>
        presentMember(world, organization, user),
      )
    },
  ),
  route(
    'GET',
    '/v0/members/:id',
    {
      id: 'retrieveMember',
      summary: 'Retrieve a member',
      source: 'wire: §3',
      scope: 'members:read',
      answer: memberSchema,
    },
    (world, request) => {
      const caller = authenticate(world, request, 'members:read')
      const { organization, user } = findMember(world, caller, request.params.id)
      return payload(presentMember(world, organization, user))
    },
  ),
  route(
    'GET',
    '/v0/courses/:id/members',
    {
      id: 'listCourseMembers',
      summary: "List a course's members",
      source: 'wire: §3',
      scope: 'members:read',
      query: pageQuery,
      answer: listOf(courseMemberSchema),
    },
    (world, request) => {
      const caller = authenticate(world, request, 'members:read')
      const course = findCourse(world, caller, request.params.id)
      const enrolments = world.store.course_members.in('course', course.id)
      return listPage(world, request, caller, enrolments, (enrolment) => presentCourseMember(world, enrolment))
    },
  ),
  route(
    'GET',
    '/v0/courses/:id/members/:member',
    {
      id: 'retrieveCourseMember',
      summary: 'Retrieve a member of a course',
      source: 'wire: §3',
      scope: 'members:read',
      answer: courseMemberSchema,
    },
    (world, request) => {
      const caller = authenticate(world, request, 'members:read')
      const course = findCourse(world, caller, request.params.id)
      return payload(presentCourseMember(world, findCourseMember(world, course, request.params.member)))
    },
  ),
]
