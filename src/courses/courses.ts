import * as z from 'zod'
import { freeForm, resource } from '../api/schemas.js'
import type { Caller } from '../authentication/authenticate.js'
import { Refusal } from '../refusal.js'
import { type CourseRecord, recordSchemas } from '../store/records.js'
import type { World } from '../world.js'

/** The course of that id in the caller's organization. @throws Refusal 404, another organization's alike. wire: §2 */
export function findCourse(world: World, caller: Caller, id: string): CourseRecord {
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

const { status, availability, visibility } = recordSchemas.courses.shape
const text = z.string().nullable()

/** wire: §4 "course" */
export const courseSchema = resource('course', {
  name: z.string(),
  status,
  cover: text,
  availability,
  visibility,
  start_date: text,
  end_date: text,
  currency: text,
  price: z.number().nullable(),
  free_label: text,
  url: text,
  public_url: text,
  join_url: text,
  metadata: freeForm,
  custom_fields: freeForm,
}).meta({ id: 'Course' })
