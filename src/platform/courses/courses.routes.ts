import { listPage, payload } from '../../emulator/serving/envelope.js'
import { route } from '../../emulator/serving/route.js'
import { listOf, pageQuery } from '../../foundation/http/resource-schemas.js'
import { authenticate } from '../authentication/authenticate.js'
import { courseSchema, findCourse, presentCourse } from './courses.js'

/** wire: §3 */
export const courseRoutes = [
  route(
    'GET',
    '/v0/courses',
    {
      id: 'listCourses',
      summary: 'List courses',
      source: 'wire: §3',
      scope: 'courses:read',
      query: pageQuery,
      answer: listOf(courseSchema),
    },
    (world, request) => {
      const caller = authenticate(world, request, 'courses:read')
      return listPage(
        world,
        request,
        caller,
        world.store.courses.in('organization', caller.organization),
        presentCourse,
      )
    },
  ),
  route(
    'GET',
    '/v0/courses/:id',
    {
      id: 'retrieveCourse',
      summary: 'Retrieve a course',
      source: 'wire: §3',
      scope: 'courses:read',
      answer: courseSchema,
    },
    (world, request) => {
      const caller = authenticate(world, request, 'courses:read')
      return payload(presentCourse(findCourse(world, caller, request.params.id)))
    },
  ),
]
