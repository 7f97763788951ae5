import { isObject } from '../../foundation/schema/is-object.js'
import { type Conversion, documentId, recordOf, resources } from './conversion.js'
import { payloadOrThrow, type Shown } from './pages.js'
import type { PlatformClient } from './platform-client.js'
import type { HeldList, UnfinishedPull } from './unfinished-pull.js'

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

/**
 * Returns a function that adds an item of a list to what has been pulled, once, as the document has it.
 * @param whole every course is read, so an item without its parent is reported.
 */
export function takerOf(conversion: Conversion, client: PlatformClient, whole: boolean) {
  const { pulled } = conversion

  /** A user who is in a course, or has an activity, belongs to the organization. fixtures: "Belonging" */
  function addStranger(shown: unknown): void {
    const id = documentId(shown)
    if (id === undefined || pulled.has('members', id) || !isObject(shown)) return
    pulled.note('members', '', 'is not listed, but appears in a course or an activity; added as a member', id)
    pulled.add({ list: 'members', id, in: '', position: 1, record: recordOf(conversion, 'members', shown, id) })
  }

  function holderOf(list: HeldList, shown: Shown, id: string): string | undefined {
    const { parent } = resources[list]
    if (!parent) return ''
    const holder = documentId(shown[parent.field])
    if (holder !== undefined && pulled.has(parent.list, holder)) return holder
    if (whole) pulled.note(list, '', parent.missing, id)
    return undefined
  }

  function positionOf(list: HeldList, { position = null }: Shown, id: string): number {
    if (list !== 'modules' && list !== 'elements') return 0
    if (typeof position === 'number') return position
    if (position !== null) pulled.note(list, 'position', 'is not a number; placed last', id)
    return Number.MAX_SAFE_INTEGER
  }

  return async ({ held: list, course = '' }: List, shown: Shown): Promise<void> => {
    const id = idIn(list, shown)
    if (id === undefined) return pulled.note(list, '', 'has no id that is a string; left out')
    const key = course === '' ? id : `${course}/${id}`
    if (pulled.has(list, key)) return pulled.note(list, '', 'is listed more than once; only the first is kept', id)
    const holder = course || holderOf(list, shown, id)
    if (holder === undefined) return
    const people = peopleIn(list, shown)
    if (list === 'activities' && !people.some(documentId)) return pulled.note(list, '', 'has no member; left out', id)
    for (const person of people) addStranger(person)
    const item = list === 'elements' ? await withProperties(client, shown) : shown
    const record = recordOf(conversion, list, list === 'course_members' ? { ...shown, id } : item, id)
    pulled.add({ list, id: key, in: holder, position: positionOf(list, shown, id), record })
  }
}

const idIn = (list: HeldList, shown: Shown) =>
  (list === 'course_members' ? documentId(shown.member) : undefined) ?? documentId(shown)

function peopleIn(list: HeldList, shown: Shown): unknown[] {
  const { member, members } = shown
  if (list === 'course_members') return [member ?? shown]
  if (list !== 'activities') return []
  return documentId(member) === undefined && Array.isArray(members) ? members : [member]
}

/** A list may show less of an element than the element itself does. spec: §4.4 */
async function withProperties(client: PlatformClient, shown: Shown): Promise<Shown> {
  if (shown.properties !== undefined || typeof shown.id !== 'string') return shown
  const path = `/v0/elements/${encodeURIComponent(shown.id)}`
  const whole = payloadOrThrow(path, await client.request(path))
  return isObject(whole) ? { ...shown, ...whole } : shown
}
