import { isObject } from '../../foundation/schema/is-object.js'
import type { Conversion } from './conversion.js'
import {
  convertActivity,
  convertCourse,
  convertCourseMember,
  convertElement,
  convertMember,
  convertModule,
  idOf,
} from './conversion.js'
import { read, type Shown } from './pages.js'
import type { PlatformClient } from './platform-client.js'
import type { PulledRecords } from './pulled-records.js'
import type { HeldList } from './unfinished-pull.js'

/** A list of the platform, and what becomes of each of its items. */
export interface List {
  held: HeldList
  path: string
  query?: Record<string, string>
  /** It is one resource and no list. */
  single?: boolean
  take(shown: Shown, client: PlatformClient): Promise<void> | void
}

const UNNAMED = 'has no id; left out'

/**
 * What is read, in order: whatever holds something comes before it. Each list is made when it is its turn, as the courses
 * that have been read say which lists of course members there are. wire: §3
 * @param only ids of courses; every course when there are none.
 */
export function* listsOf(records: PulledRecords, conversion: Conversion, only: string[]): Generator<List> {
  const takers = takersOf(records, conversion, only.length === 0)
  const coursePath = (id: string) => `/v0/courses/${encodeURIComponent(id)}`
  if (only.length === 0) {
    yield { held: 'courses', path: '/v0/courses', take: takers.course }
    yield { held: 'modules', path: '/v0/modules', take: takers.module }
  }
  for (const id of only) yield { held: 'courses', path: coursePath(id), single: true, take: takers.course }
  for (const course of only) yield { held: 'modules', path: '/v0/modules', query: { course }, take: takers.module }
  yield { held: 'elements', path: '/v0/elements', take: takers.element }
  yield { held: 'members', path: '/v0/members', take: takers.member }
  for (const id of records.ids('courses')) {
    const shown = records.get('courses', id)?.shown_id
    const path = `${coursePath(typeof shown === 'string' ? shown : id)}/members`
    yield { held: 'course_members', path, take: (item) => takers.courseMember(id, item) }
  }
  yield { held: 'activities', path: '/v0/activities', take: takers.activity }
}

/** @param whole whether what is missing should have been there, and is not just of another course. */
function takersOf(records: PulledRecords, conversion: Conversion, whole: boolean) {
  const { approximations } = conversion
  const leaveOut = (list: HeldList, what: string, id?: string) => approximations.note(list, '', what, id)
  const addMember = (shown: Shown, id: string, position: number) => {
    const { user, created_at } = convertMember(conversion, shown, id)
    records.add('members', { id, in: '', position, record: { user, created_at } })
  }

  /** Whoever is in a course or has done something belongs to the organization. fixtures: "Belonging" */
  const addStranger = (shown: unknown): void => {
    const id = idOf(shown)
    if (id === undefined || records.has('members', id) || !isObject(shown)) return
    approximations.note('members', '', 'is not listed, but appears in a course or an activity; added as a member', id)
    addMember(shown, id, 1)
  }

  return {
    course(shown: Shown) {
      const id = idOf(shown)
      if (id === undefined) return leaveOut('courses', UNNAMED)
      if (records.has('courses', id)) return
      const record = { shown_id: shown.id, course: convertCourse(conversion, shown, id) }
      records.add('courses', { id, in: '', position: 0, record })
    },

    module(shown: Shown) {
      const id = idOf(shown)
      const course = idOf(shown.course)
      if (id === undefined) return leaveOut('modules', UNNAMED)
      if (records.has('modules', id)) return
      if (course === undefined || !records.has('courses', course)) return leaveOut('modules', NO_HOLDER.modules, id)
      const record = convertModule(conversion, shown, id)
      records.add('modules', { id, in: course, position: positionOf(shown), record })
    },

    async element(shown: Shown, client: PlatformClient) {
      const id = idOf(shown)
      const module = idOf(shown.module)
      if (id === undefined) return leaveOut('elements', UNNAMED)
      if (records.has('elements', id)) return
      if (module === undefined || !records.has('modules', module)) {
        if (whole) leaveOut('elements', NO_HOLDER.elements, id)
        return
      }
      const record = convertElement(conversion, await withProperties(client, shown), id)
      records.add('elements', { id, in: module, position: positionOf(shown), record })
    },

    member(shown: Shown) {
      const id = idOf(shown)
      if (id === undefined) return leaveOut('members', UNNAMED)
      if (!records.has('members', id)) addMember(shown, id, 0)
    },

    courseMember(course: string, shown: Shown) {
      const user = idOf(shown.member) ?? idOf(shown)
      if (user === undefined) return leaveOut('course_members', UNNAMED)
      const id = `${course}/${user}`
      if (records.has('course_members', id)) return
      addStranger(shown.member ?? shown)
      const record = convertCourseMember(conversion, shown, user)
      records.add('course_members', { id, in: course, position: 0, record })
    },

    activity(shown: Shown) {
      const id = idOf(shown)
      const elementId = idOf(shown.context)
      if (id === undefined) return leaveOut('activities', UNNAMED)
      if (records.has('activities', id)) return
      const element = elementId === undefined ? undefined : records.get('elements', elementId)
      if (elementId === undefined || !element) {
        if (whole) leaveOut('activities', NO_HOLDER.activities, id)
        return
      }
      const people = Array.isArray(shown.members) ? shown.members : [shown.member]
      if (!people.some((person) => idOf(person) !== undefined))
        return leaveOut('activities', 'has no member; left out', id)
      for (const person of people) addStranger(person)
      const isKnown = (user: string) => records.has('members', user)
      const record = convertActivity(conversion, shown, id, questionsOf(element), isKnown)
      records.add('activities', { id, in: elementId, position: 0, record })
    },
  }
}

const NO_HOLDER = {
  modules: 'belongs to a course that is not listed; left out',
  elements: 'belongs to a module that is not listed; left out',
  activities: 'is about an element that is not listed; left out',
}

const positionOf = ({ position }: Shown) => (typeof position === 'number' ? position : Number.MAX_SAFE_INTEGER)

function questionsOf({ properties }: Record<string, unknown>): Record<string, unknown>[] {
  const questions = isObject(properties) ? properties.questions : undefined
  return Array.isArray(questions) ? questions : []
}

/** A list may show less of an element than the element itself does. spec: §4.4 */
async function withProperties(client: PlatformClient, shown: Shown): Promise<Shown> {
  if (shown.properties !== undefined || typeof shown.id !== 'string') return shown
  const path = `/v0/elements/${encodeURIComponent(shown.id)}`
  const whole = read(path, await client.request(path))
  return isObject(whole) ? { ...shown, ...whole } : shown
}
