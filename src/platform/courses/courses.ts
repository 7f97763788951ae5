import type { World } from '../../emulator/world/world.js'
import { resource } from '../../foundation/http/resource-schemas.js'
import * as words from '../../foundation/schema/schema-words.js'
import { type Caller, findOwn } from '../authentication/authenticate.js'
import { type CourseRecord, courseFields } from './course-record.js'

/** @throws Refusal 404 */
export const findCourse = (world: Pick<World, 'store'>, caller: Caller, id: string): CourseRecord =>
  findOwn(world, world.store.courses, 'course', caller, id)

/** wire: §4 */
export function presentCourse(course: CourseRecord) {
  const { id, created_at, sequence: _, organization: __, ...fields } = course
  return { id, object: 'course', ...fields, created_at }
}

/** wire: §4 "course" */
export const courseSchema = resource('course', words.withoutDefaults(courseFields(words))).meta({ id: 'Course' })
