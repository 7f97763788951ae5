import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { resource } from '../../foundation/http/resource-schemas.js'
import * as words from '../../foundation/schema/schema-words.js'
import type { Caller } from '../authentication/authenticate.js'
import { type CourseRecord, courseFields } from './course-record.js'

/** The course of that id in the caller's organization. @throws Refusal 404, another organization's alike. wire: §2 */
export function findCourse(world: Pick<World, 'store'>, caller: Caller, id: string): CourseRecord {
  const course = world.store.courses.get(id)
  if (course?.organization === caller.organization) return course
  const reason = course ? `The course ${id} belongs to another organization` : `There is no course ${id}`
  throw new Refusal('not_found', { reason })
}

/** wire: §4 */
export function presentCourse(course: CourseRecord) {
  const { id, created_at, sequence: _, organization: __, ...fields } = course
  return { id, object: 'course', ...fields, created_at }
}

/** wire: §4 "course" */
export const courseSchema = resource('course', words.withoutDefaults(courseFields(words))).meta({ id: 'Course' })
