import type { World } from '../../emulator/world/world.js'

type Store = World['store']
type Records = (store: Store, place: string) => Iterable<{ id: string; user?: string }>

/** Records by the segments of a path of `/v0` after which their ids come: of an organization, or of another record. */
const listed: Record<string, Records> = {
  courses: (store, organization) => store.courses.in('organization', organization),
  modules: (store, organization) => store.modules.in('organization', organization),
  elements: (store, organization) => store.elements.in('organization', organization),
  activities: (store, organization) => store.activities.in('organization', organization),
  members: (store, organization) => store.memberships.in('organization', organization),
  'courses members': (store, course) => store.course_members.in('course', course),
  'elements activities': (store, element) => store.activities.in('element', element),
}

/** Records that are searched for one that has others. */
const SEARCHED = 1_000

/**
 * Finds the records of an organization that a path is about.
 * @returns their ids by the segment before the id, and whether a list at the path has more than one record.
 */
export function recordsAt(
  store: Store,
  organization: string,
  path: string,
): { ids: Record<string, string | undefined>; isMany: boolean } {
  const [outer, inner] = path.split('/').filter((segment) => segment in listed)
  if (outer === undefined) return { ids: {}, isMany: false }
  const idsOf = (key: string, place: string, most: number) => firstIds(listed[key]?.(store, place) ?? [], most)
  const outerIds = idsOf(outer, organization, inner === undefined ? 2 : SEARCHED)
  if (inner === undefined) return { ids: { [outer]: outerIds[0] }, isMany: outerIds.length > 1 }
  const [best] = outerIds
    .map((id) => ({ id, inside: idsOf(`${outer} ${inner}`, id, 2) }))
    .sort((a, b) => b.inside.length - a.inside.length)
  const { id, inside = [] } = best ?? {}
  return { ids: { [outer]: id, [inner]: inside[0] }, isMany: inside.length > 1 }
}

function firstIds(records: ReturnType<Records>, most: number): string[] {
  const ids: string[] = []
  for (const { id, user = id } of records) {
    if (ids.push(user) === most) break
  }
  return ids
}

/** Returns the id of a record in `sampleDocument`. */
export const sampleId = (slug: string, segment: string, number = 1) => `${slug}-${segment}-${number}`

/** Returns a fixture document with an organization that has two records at every path; its first member is the owner. */
export function sampleDocument(slug: string) {
  const named = (segment: string, number: number) => ({
    id: sampleId(slug, segment, number),
    name: `${segment} ${number}`,
  })
  const people = [1, 2].map((number) => sampleId(slug, 'members', number))
  const courses = [1, 2].map((number) => {
    const activities = people.map((member, index) => ({
      ...(number === 1 && { id: sampleId(slug, 'activities', index + 1) }),
      member,
    }))
    const elements = [{ ...named('elements', number), type: 'CONTENT', activities }]
    return { ...named('courses', number), members: people, modules: [{ ...named('modules', number), elements }] }
  })
  return {
    users: people.map((id) => ({ id, email: `${id}@example.test` })),
    organizations: [
      {
        slug,
        name: slug,
        members: people.map((user, index) => ({ user, role: ['owner', 'learner'][index] })),
        courses,
      },
    ],
  }
}
