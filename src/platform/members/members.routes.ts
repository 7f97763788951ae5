import { listPage, payload } from '../../emulator/serving/envelope.js'
import { listOf, pageQuery } from '../../foundation/http/resource-schemas.js'
import { apiRoute } from '../authentication/authenticate.js'
import { findCourse } from '../courses/courses.js'
import {
  courseMemberSchema,
  findCourseMember,
  findMember,
  memberSchema,
  presentCourseMember,
  presentMember,
} from './members.js'

const reading = { source: 'wire: §3', scope: 'members:read' } as const
const listing = { ...reading, query: pageQuery }

const operations = {
  list: { id: 'listMembers', summary: "List the organization's members", ...listing, response: listOf(memberSchema) },
  retrieve: { id: 'retrieveMember', summary: 'Retrieve a member', ...reading, response: memberSchema },
  listInCourse: {
    id: 'listCourseMembers',
    summary: "List a course's members",
    ...listing,
    response: listOf(courseMemberSchema),
  },
  retrieveInCourse: {
    id: 'retrieveCourseMember',
    summary: 'Retrieve a member of a course',
    ...reading,
    response: courseMemberSchema,
  },
}

/** wire: §3 */
export const memberRoutes = [
  apiRoute('GET', '/v0/members', operations.list, (world, request, caller) =>
    listPage(world, request, caller, {
      records: world.store.memberships.in('organization', caller.organization),
      present: ({ user }) => presentMember(world, caller.organization, user),
    }),
  ),
  apiRoute('GET', '/v0/members/:id', operations.retrieve, (world, { params }, caller) => {
    const { organization, user } = findMember(world, caller, params.id)
    return payload(presentMember(world, organization, user))
  }),
  apiRoute('GET', '/v0/courses/:id/members', operations.listInCourse, (world, request, caller) => {
    const course = findCourse(world, caller, request.params.id)
    return listPage(world, request, caller, {
      records: world.store.course_members.in('course', course.id),
      present: (enrollment) => presentCourseMember(world, enrollment),
    })
  }),
  apiRoute('GET', '/v0/courses/:id/members/:member', operations.retrieveInCourse, (world, { params }, caller) => {
    const course = findCourse(world, caller, params.id)
    return payload(presentCourseMember(world, findCourseMember(world, course, params.member)))
  }),
]
