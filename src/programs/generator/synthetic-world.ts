import type { ElementTypeName } from '../../emulator/world/element-type-names.js'
import { units } from '../../foundation/schema/duration.js'
import { courseOf, modulePlans } from './course-plans.js'
import { Draws } from './draws.js'
import { inventCompany, inventName } from './invented-people.js'
import { streamedJson } from './streamed-json.js'
import { type Surroundings, type SyntheticElement, syntheticElements } from './synthetic-elements.js'

export const syntheticKey = (slug: string): string => `key_${slug}`

/** The size of a world; all but `organizations` for each organization. */
export interface WorldSize {
  organizations: number
  courses: number
  elements: number
  members: number
  activities: number
}

export type WorldProgress = { organization: string; elements: number }

interface Recipe {
  draws: Draws
  size: WorldSize
  onProgress: (progress: WorldProgress) => void
}

const COURSES_OF_A_MEMBER = 3
const FIRST_DAY = Date.UTC(2026, 0, 5)

type Organization = ReturnType<typeof organizationsOf>[number]

/**
 * Returns invented organizations, and the text of their fixture document, piece by piece. The same seed and size make the
 * same text. control-api: "CLI" (`generate`)
 * @param schema where editors find the document's schema.
 */
export function syntheticWorld(seed: string, size: WorldSize, schema: string, onProgress: Recipe['onProgress']) {
  const recipe = { draws: new Draws(seed), size, onProgress }
  const organizations = organizationsOf(recipe)
  const text = streamedJson({
    $schema: schema,
    users: usersOf(recipe, organizations),
    organizations: organizations.map((organization) => ({
      slug: organization.slug,
      name: organization.name,
      api_key: syntheticKey(organization.slug),
      members: membershipsOf(recipe, organization),
      courses: coursesOf(recipe, organization),
    })),
  })
  return { organizations, text }
}

function organizationsOf({ draws, size }: Recipe) {
  const slugs = new Set<string>()
  return Array.from({ length: size.organizations }, (_, index) => {
    const name = inventCompany(draws)
    const short = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40)
    const slug = slugs.has(short) ? `${short}-${index + 1}` : short
    slugs.add(slug)
    return { number: index + 1, slug, name }
  })
}

const userId = ({ number }: Organization, member: number) => `user-${number}-${member + 1}`

function* usersOf({ draws, size }: Recipe, organizations: Organization[]) {
  for (const organization of organizations) {
    const taken = new Set<string>()
    for (let member = 0; member < size.members; member++) {
      const { first_name, last_name } = inventName(draws)
      const name = `${first_name}.${last_name}`.toLowerCase()
      const local = taken.has(name) ? `${name}.${member + 1}` : name
      taken.add(local)
      const email = `${local}@${organization.slug}.test`
      yield { id: userId(organization, member), email, first_name, last_name, email_verified: draws.happens(0.9) }
    }
  }
}

/** The first is the owner, the second an admin; one in twenty teaches. */
function* membershipsOf({ size }: Recipe, organization: Organization) {
  for (let member = 0; member < size.members; member++) {
    const role = member === 0 ? 'owner' : member === 1 ? 'admin' : member % 20 === 2 ? 'lecturer' : 'learner'
    yield { user: userId(organization, member), role }
  }
}

function* coursesOf(recipe: Recipe, organization: Organization) {
  for (let course = 0; course < recipe.size.courses; course++) {
    const id = `course-${organization.number}-${course + 1}`
    const members = membersOf(course, recipe.size).map((member) => userId(organization, member))
    const modules = modulesOf(recipe, organization, course, members)
    yield { id, name: courseOf(course).name, start_date: dayOf(course), members, modules }
  }
}

function* modulesOf(recipe: Recipe, organization: Organization, course: number, members: string[]) {
  const { size, onProgress } = recipe
  const { name, topics } = courseOf(course)
  const [first, end] = shareOf(size.elements, size.courses, course)
  for (let module = 0, from = first; from < end; module++) {
    const plan = modulePlans[module % modulePlans.length] as readonly ElementTypeName[]
    const topic = topics[module % topics.length] as string
    const types = plan.slice(0, end - from)
    const ids = types.map((_, index) => `element-${organization.number}-${from + index + 1}`)
    const around: Surroundings = {
      topic,
      course: name,
      organization,
      day: dayOf(course + module),
      earlier: (type) => ids[types.indexOf(type)] as string,
    }
    const elements = types.map((type, index) => ({ id: ids[index], type, ...syntheticElements[type](around) }))
    const id = `module-${organization.number}-${course + 1}-${module + 1}`
    yield { id, name: topic, elements: withActivities(recipe, organization, from, elements, members) }
    from += types.length
    onProgress({ organization: organization.name, elements: from })
  }
}

function* withActivities(
  { draws, size }: Recipe,
  organization: Organization,
  from: number,
  elements: SyntheticElement[],
  members: string[],
) {
  const someone = () =>
    members.length > 0 ? draws.of(members) : userId(organization, draws.integer(0, size.members - 1))
  for (const [index, { work, groups, ...element }] of elements.entries()) {
    const [first, end] = shareOf(size.activities, size.elements, from + index)
    const activities = Array.from({ length: end - first }, () => {
      const who = groups ? { members: [...new Set([someone(), someone(), someone()])] } : { member: someone() }
      return draws.happens(0.15) ? { ...who, status: 'started' } : { ...who, ...work?.(draws) }
    })
    yield { ...element, activities: activities.length > 0 ? activities : undefined }
  }
}

/** Returns the members of a course: each member is in up to three, which follow one another. */
function membersOf(course: number, { courses, members }: WorldSize): number[] {
  const starts = Array.from(
    { length: Math.min(COURSES_OF_A_MEMBER, courses) },
    (_, back) => (course + courses - back) % courses,
  )
  return starts.flatMap((start) => {
    const count = Math.max(0, Math.ceil((members - start) / courses))
    return Array.from({ length: count }, (_, index) => start + index * courses)
  })
}

const dayOf = (week: number) => new Date(FIRST_DAY + (week % 50) * 7 * units.d).toISOString().slice(0, 10)

/** Returns the share of the holder at `index` when `count` things are distributed evenly and in order: from and to. */
const shareOf = (count: number, holders: number, index: number): [number, number] => [
  Math.floor((count * index) / holders),
  Math.floor((count * (index + 1)) / holders),
]
