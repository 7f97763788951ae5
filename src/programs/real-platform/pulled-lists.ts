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

/** A list of the platform, or one resource of it. */
export interface List {
  held: HeldList
  path: string
  query?: Record<string, string>
  /** The path is that of one resource. */
  single?: boolean
  /** The course whose members these are. */
  course?: string
}

/**
 * Yields the lists in the order in which they are read: a holder comes before what it holds. Each is made at its turn, as those of
 * course members depend on the courses that have been read. wire: §3
 * @param only ids of courses; every course when there are none.
 */
export function* listsOf(pulled: UnfinishedPull, only: string[]): Generator<List> {
  const coursePath = (id: string) => `/v0/courses/${encodeURIComponent(id)}`
  if (only.length === 0) {
    yield { held: 'courses', path: '/v0/courses' }
    yield { held: 'modules', path: '/v0/modules' }
  }
  for (const id of only) yield { held: 'courses', path: coursePath(id), single: true }
  for (const course of only) yield { held: 'modules', path: '/v0/modules', query: { course } }
  yield { held: 'elements', path: '/v0/elements' }
  yield { held: 'members', path: '/v0/members' }
  for (const { id: course, record } of pulled.lines('courses')) {
    yield { held: 'course_members', path: `${coursePath(String(record.shown_id))}/members`, course }
  }
  yield { held: 'activities', path: '/v0/activities' }
}

/** The list and the field of a resource's parent, and the note on a resource whose parent was not read. */
const holders: Partial<Record<HeldList, { list: HeldList; field: string; missing: string }>> = {
  modules: { list: 'courses', field: 'course', missing: 'belongs to a course that is not listed; left out' },
  elements: { list: 'modules', field: 'module', missing: 'belongs to a module that is not listed; left out' },
  activities: { list: 'elements', field: 'context', missing: 'is about an element that is not listed; left out' },
}

/**
 * Returns a function that adds an item of a list to what has been pulled, once, as the document has it.
 * @param whole every course is read, so an item without its holder is reported.
 */
export function takerOf(pulled: UnfinishedPull, conversion: Conversion, client: PlatformClient, whole: boolean) {
  const convert: Record<HeldList, (shown: Shown, id: string, holder: string) => Promise<object> | object> = {
    courses: (shown, id) => ({ shown_id: shown.id, course: convertNamed(conversion, 'courses', shown, id) }),
    modules: (shown, id) => convertNamed(conversion, 'modules', shown, id),
    elements: async (shown, id) => convertElement(conversion, await withProperties(client, shown), id),
    members: (shown, id) => convertMember(conversion, shown, id),
    course_members: (shown, id) => convertCourseMember(conversion, shown, id),
    activities(shown, id, holder) {
      const { properties } = pulled.get('elements', holder) as { properties: { questions?: Line['record'][] } }
      return convertActivity(conversion, shown, id, properties.questions ?? [], (user) => pulled.has('members', user))
    },
  }

  /** A user who is in a course, or has an activity, belongs to the organization. fixtures: "Belonging" */
  function addStranger(shown: unknown): void {
    const id = idOf(shown)
    if (id === undefined || pulled.has('members', id) || !isObject(shown)) return
    pulled.note('members', '', 'is not listed, but appears in a course or an activity; added as a member', id)
    pulled.add({ list: 'members', id, in: '', position: 1, record: convertMember(conversion, shown, id) })
  }

  return async ({ held: list, course = '' }: List, shown: Shown): Promise<void> => {
    const id = (list === 'course_members' ? idOf(shown.member) : undefined) ?? idOf(shown)
    if (id === undefined) return pulled.note(list, '', 'has no id; left out')
    const key = course === '' ? id : `${course}/${id}`
    if (pulled.has(list, key)) return
    const above = holders[list]
    const holder = above ? idOf(shown[above.field]) : course
    if (holder === undefined || (above && !pulled.has(above.list, holder))) {
      return above && whole ? pulled.note(list, '', above.missing, id) : undefined
    }
    if (list === 'course_members') addStranger(shown.member ?? shown)
    if (list === 'activities') {
      const people = Array.isArray(shown.members) ? shown.members : [shown.member]
      if (!people.some((person) => idOf(person) !== undefined)) {
        return pulled.note(list, '', 'has no member; left out', id)
      }
      for (const person of people) addStranger(person)
    }
    const record = (await convert[list](shown, id, holder)) as Line['record']
    const isPlaced = list === 'modules' || list === 'elements'
    const last = isPlaced ? Number.MAX_SAFE_INTEGER : 0
    const position = isPlaced && typeof shown.position === 'number' ? shown.position : last
    pulled.add({ list, id: key, in: holder, position, record })
  }
}

/** A list may show less of an element than the element itself does. spec: §4.4 */
async function withProperties(client: PlatformClient, shown: Shown): Promise<Shown> {
  if (shown.properties !== undefined || typeof shown.id !== 'string') return shown
  const path = `/v0/elements/${encodeURIComponent(shown.id)}`
  const whole = read(path, await client.request(path))
  return isObject(whole) ? { ...shown, ...whole } : shown
}
