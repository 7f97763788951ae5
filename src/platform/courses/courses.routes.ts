import { listPage, payload } from '../../emulator/serving/envelope.js'
import { listOf, pageQuery } from '../../foundation/http/resource-schemas.js'
import { apiRoute } from '../authentication/authenticate.js'
import { courseSchema, findCourse, presentCourse } from './courses.js'

const reading = { source: 'wire: §3', scope: 'courses:read' } as const

const operations = {
  list: { id: 'listCourses', summary: 'List courses', ...reading, query: pageQuery, response: listOf(courseSchema) },
  retrieve: { id: 'retrieveCourse', summary: 'Retrieve a course', ...reading, response: courseSchema },
}

/** wire: §3 */
export const courseRoutes = [
  apiRoute('GET', '/v0/courses', operations.list, (world, request, caller) =>
    listPage(world, request, caller, {
      records: world.store.courses.in('organization', caller.organization),
      present: presentCourse,
    }),
  ),
  apiRoute('GET', '/v0/courses/:id', operations.retrieve, (world, { params }, caller) =>
    payload(presentCourse(findCourse(world, caller, params.id))),
  ),
]
