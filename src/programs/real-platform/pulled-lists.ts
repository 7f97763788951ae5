import { isObject } from '../../foundation/schema/is-object.js'
import {
  type Conversion,
  convertActivity,
  convertCourseMember,
  convertElement,
  convertMember,
  convertNamed,
  idOf,
} from './conversion.js'
import { read, type Shown } from './pages.js'
import type { PlatformClient } from './platform-client.js'
import type { HeldList, Line, UnfinishedPull } from './unfinished-pull.js'

/** A list of the platform, and what becomes of each of its items. */
export interface List {
  held: HeldList
  path: string
  query?: Record<string, string>
  /** The path is that of one resource. */
  single?: boolean
  take(shown: Shown, client: PlatformClient): Promise<void> | void
}

/**
 * What is read, in order: whatever holds something comes before it. Each list is made when it is its turn, as the lists of
 * course members depend on the courses that have been read. wire: §3
 * @param only ids of courses; every course when there are none.
 */
export function* listsOf(pulled: UnfinishedPull, conversion: Conversion, only: string[]): Generator<List> {
  const take = takersOf(pulled, conversion, only.length === 0)
  const coursePath = (id: string) => `/v0/courses/${encodeURIComponent(id)}`
  if (only.length === 0) {
    yield { held: 'courses', path: '/v0/courses', take: take.course }
    yield { held: 'modules', path: '/v0/modules', take: take.module }
  }
  for (const id of only) yield { held: 'courses', path: coursePath(id), single: true, take: take.course }
  for (const course of only) yield { held: 'modules', path: '/v0/modules', query: { course }, take: take.module }
  yield { held: 'elements', path: '/v0/elements', take: take.element }
  yield { held: 'members', path: '/v0/members', take: take.member }
  for (const id of pulled.ids('courses')) {
    const path = `${coursePath(String(pulled.get('courses', id)?.shown_id))}/members`
    yield { held: 'course_members', path, take: (item) => take.courseMember(id, item) }
  }
  yield { held: 'activities', path: '/v0/activities', take: take.activity }
}

/** @param whole every course is read, so what belongs to no course that was read is reported. */
function takersOf(pulled: UnfinishedPull, conversion: Conversion, whole: boolean) {
  const leaveOut = (list: HeldList, what: string, id?: string) => pulled.note(list, '', `${what}; left out`, id)
  const add = (list: HeldList, id: string, record: Line['record'], { holder = '', position = 0 } = {}) =>
    pulled.add({ list, id, in: holder, position, record })

  /** Returns the id of what is read for the first time. */
  const newId = (list: HeldList, shown: Shown): string | undefined => {
    const id = idOf(shown)
    if (id === undefined) leaveOut(list, 'has no id')
    return id === undefined || pulled.has(list, id) ? undefined : id
  }

  /** Whoever is in a course or has done something belongs to the organization. fixtures: "Belonging" */
  const addStranger = (shown: unknown): void => {
    const id = idOf(shown)
    if (id === undefined || pulled.has('members', id) || !isObject(shown)) return
    pulled.note('members', '', 'is not listed, but appears in a course or an activity; added as a member', id)
    add('members', id, convertMember(conversion, shown, id), { position: 1 })
  }

  return {
    course(shown: Shown) {
      const id = newId('courses', shown)
      if (id !== undefined)
        add('courses', id, { shown_id: shown.id, course: convertNamed(conversion, 'courses', shown, id) })
    },

    module(shown: Shown) {
      const id = newId('modules', shown)
      const holder = idOf(shown.course)
      if (id === undefined) return
      if (holder === undefined || !pulled.has('courses', holder))
        return leaveOut('modules', 'belongs to a course that is not listed', id)
      add('modules', id, convertNamed(conversion, 'modules', shown, id), { holder, position: positionOf(shown) })
    },

    async element(shown: Shown, client: PlatformClient) {
      const id = newId('elements', shown)
      const holder = idOf(shown.module)
      if (id === undefined) return
      if (holder === undefined || !pulled.has('modules', holder)) {
        if (whole) leaveOut('elements', 'belongs to a module that is not listed', id)
        return
      }
      const record = convertElement(conversion, await withProperties(client, shown), id)
      add('elements', id, record, { holder, position: positionOf(shown) })
    },

    member(shown: Shown) {
      const id = newId('members', shown)
      if (id !== undefined) add('members', id, convertMember(conversion, shown, id))
    },

    courseMember(course: string, shown: Shown) {
      const user = idOf(shown.member) ?? idOf(shown)
      if (user === undefined) return leaveOut('course_members', 'has no id')
      const id = `${course}/${user}`
      if (pulled.has('course_members', id)) return
      addStranger(shown.member ?? shown)
      add('course_members', id, convertCourseMember(conversion, shown, user), { holder: course })
    },

    activity(shown: Shown) {
      const id = newId('activities', shown)
      const holder = idOf(shown.context)
      if (id === undefined) return
      const element = holder === undefined ? undefined : pulled.get('elements', holder)
      if (holder === undefined || !element) {
        if (whole) leaveOut('activities', 'is about an element that is not listed', id)
        return
      }
      const people = Array.isArray(shown.members) ? shown.members : [shown.member]
      if (!people.some((person) => idOf(person) !== undefined)) return leaveOut('activities', 'has no member', id)
      for (const person of people) addStranger(person)
      const questions = isObject(element.properties) ? element.properties.questions : undefined
      const isKnown = (user: string) => pulled.has('members', user)
      const record = convertActivity(conversion, shown, id, Array.isArray(questions) ? questions : [], isKnown)
      add('activities', id, record, { holder })
    },
  }
}

const positionOf = ({ position }: Shown) => (typeof position === 'number' ? position : Number.MAX_SAFE_INTEGER)

/** A list may show less of an element than the element itself does. spec: §4.4 */
async function withProperties(client: PlatformClient, shown: Shown): Promise<Shown> {
  if (shown.properties !== undefined || typeof shown.id !== 'string') return shown
  const path = `/v0/elements/${encodeURIComponent(shown.id)}`
  const whole = read(path, await client.request(path))
  return isObject(whole) ? { ...shown, ...whole } : shown
}
