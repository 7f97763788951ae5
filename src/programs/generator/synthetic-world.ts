import type { ElementTypeName } from '../../emulator/world/element-type-names.js'
import { courseOf, modulePlans } from './course-plans.js'
import { type Draws, drawsFrom } from './draws.js'
import { inventCompany, inventName } from './invented-people.js'
import { type Surroundings, type SyntheticElement, syntheticElements } from './synthetic-elements.js'

/** The size of a world; all but `organizations` for each organization. */
export interface WorldSize {
  organizations: number
  courses: number
  elements: number
  members: number
  activities: number
}

/** Each part of the world that has been written. */
export type WorldProgress = { organization: string; elements: number }

/** In how many courses a member is. */
const COURSES_OF_A_MEMBER = 3
const DAY = 86_400_000
const FIRST_DAY = Date.UTC(2026, 0, 5)

interface Organization {
  /** From 1. */
  number: number
  slug: string
  name: string
}

/**
 * The text of a fixture document of invented organizations, piece by piece, so that its size costs no memory. The same
 * seed and size make the same text. control-api: "CLI" (`generate`)
 * @param schema where editors find the document's schema.
 */
export function* syntheticWorld(
  seed: string,
  size: WorldSize,
  schema: string,
  onProgress: (progress: WorldProgress) => void = () => {},
): Generator<string> {
  const draws = drawsFrom(seed)
  const organizations = organizationsOf(draws, size.organizations)
  yield `{\n  "$schema": ${JSON.stringify(schema)},\n  "users": [`
  yield* itemLines(allUsers(draws, organizations, size.members), 4)
  yield '],\n  "organizations": ['
  for (const [index, organization] of organizations.entries()) {
    yield index === 0 ? '\n' : ',\n'
    yield* organizationText(draws, organization, size, onProgress)
  }
  yield organizations.length > 0 ? '\n  ]\n}\n' : ']\n}\n'
}

function organizationsOf(draws: Draws, count: number): Organization[] {
  const slugs = new Set<string>()
  return Array.from({ length: count }, (_, index) => {
    const name = inventCompany(draws)
    const short = asciiOf(name).replace(/^-|-$/g, '').slice(0, 40)
    const slug = slugs.has(short) ? `${short}-${index + 1}` : short
    slugs.add(slug)
    return { number: index + 1, slug, name }
  })
}

const asciiOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const userId = ({ number }: Organization, member: number) => `user-${number}-${member + 1}`

function* allUsers(draws: Draws, organizations: Organization[], members: number) {
  for (const organization of organizations) {
    const taken = new Set<string>()
    for (let member = 0; member < members; member++) {
      const { first_name, last_name } = inventName(draws)
      const name = `${first_name}.${last_name}`.toLowerCase().replace(/[^a-z.]/g, '')
      const local = taken.has(name) ? `${name}.${member + 1}` : name
      taken.add(local)
      const email = `${local}@${organization.slug}.test`
      yield {
        id: userId(organization, member),
        email,
        first_name,
        last_name,
        email_verified: draws.chance(0.9),
      }
    }
  }
}

function* organizationText(
  draws: Draws,
  organization: Organization,
  size: WorldSize,
  onProgress: (progress: WorldProgress) => void,
): Generator<string> {
  const { slug, name } = organization
  yield `    {\n      "slug": "${slug}",\n      "name": ${JSON.stringify(name)},\n      "api_key": "key_${slug}",\n`
  yield '      "members": ['
  yield* itemLines(memberships(organization, size.members), 8)
  yield '],\n      "courses": ['
  for (let course = 0; course < size.courses; course++) {
    yield course === 0 ? '\n' : ',\n'
    yield* courseText(draws, organization, course, size, onProgress)
  }
  yield size.courses > 0 ? '\n      ]\n    }' : ']\n    }'
}

/** The first is the owner, the second an admin; one in twenty teaches. */
function* memberships(organization: Organization, members: number) {
  for (let member = 0; member < members; member++) {
    const role = member === 0 ? 'owner' : member === 1 ? 'admin' : member % 20 === 2 ? 'lecturer' : 'learner'
    yield { user: userId(organization, member), role }
  }
}

function* courseText(
  draws: Draws,
  organization: Organization,
  course: number,
  size: WorldSize,
  onProgress: (progress: WorldProgress) => void,
): Generator<string> {
  const { name, topics } = courseOf(course)
  const members = membersOf(course, size)
  const fields = { id: `course-${organization.number}-${course + 1}`, name, start_date: dayOf(course) }
  yield `        {\n          ${JSON.stringify(fields).slice(1, -1)},\n          "members": `
  yield `${JSON.stringify([...members].map((member) => userId(organization, member)))},\n          "modules": [`
  const [first, end] = shareOf(size.elements, size.courses, course)
  let module = 0
  for (let next = first; next < end; module++) {
    const plan = modulePlans[module % modulePlans.length] as readonly ElementTypeName[]
    const topic = topics[module % topics.length] as string
    const fields = { id: `module-${organization.number}-${course + 1}-${module + 1}`, name: topic }
    yield `${module === 0 ? '' : ','}\n            {\n              ${JSON.stringify(fields).slice(1, -1)},\n`
    yield '              "elements": ['
    const types = plan.slice(0, end - next)
    const from = next
    const around: Surroundings = {
      topic,
      course: name,
      organization,
      day: dayOf(course + module),
      earlier: (type) => elementId(organization, from + types.indexOf(type)),
    }
    yield* itemLines(elementsOf(draws, organization, types, from, around, size, members), 16)
    yield ']\n            }'
    next += types.length
    onProgress({ organization: organization.name, elements: next })
  }
  yield module > 0 ? '\n          ]\n        }' : ']\n        }'
}

const elementId = ({ number }: Organization, element: number) => `element-${number}-${element + 1}`

function* elementsOf(
  draws: Draws,
  organization: Organization,
  types: readonly ElementTypeName[],
  from: number,
  around: Surroundings,
  size: WorldSize,
  courseMembers: Members,
) {
  for (const [index, type] of types.entries()) {
    const element = from + index
    const made = syntheticElements[type](around)
    const { name, content, properties } = made
    const [first, end] = shareOf(size.activities, size.elements, element)
    const activities = Array.from({ length: end - first }, () =>
      activityOf(draws, organization, made, courseMembers, size),
    )
    yield {
      id: elementId(organization, element),
      type,
      name,
      ...(content !== undefined && { content }),
      ...(properties && { properties }),
      ...(activities.length > 0 && { activities }),
    }
  }
}

function activityOf(
  draws: Draws,
  organization: Organization,
  { work, groups }: SyntheticElement,
  courseMembers: Members,
  { members }: WorldSize,
) {
  const someone = () => {
    const among = courseMembers.count > 0 ? courseMembers.at(draws.integer(0, courseMembers.count - 1)) : undefined
    return userId(organization, among ?? draws.integer(0, members - 1))
  }
  const who = groups ? { members: [...new Set([someone(), someone(), someone()])] } : { member: someone() }
  return draws.chance(0.15) ? { ...who, status: 'started' } : { ...who, ...work?.(draws) }
}

interface Members extends Iterable<number> {
  count: number
  at(index: number): number
}

/** The members of a course: each member is in up to three, which follow one another. Counted, so that no list is kept. */
function membersOf(course: number, { courses, members }: WorldSize): Members {
  const starts = Array.from(
    { length: Math.min(COURSES_OF_A_MEMBER, courses) },
    (_, k) => (course + courses - k) % courses,
  )
  const counts = starts.map((start) => Math.max(0, Math.ceil((members - start) / courses)))
  const count = counts.reduce((sum, each) => sum + each, 0)
  const at = (index: number) => {
    let rest = index
    for (const [which, each] of counts.entries()) {
      if (rest < each) return (starts[which] as number) + rest * courses
      rest -= each
    }
    throw new RangeError(`There are ${count} members in the course`)
  }
  return {
    count,
    at,
    *[Symbol.iterator]() {
      for (let index = 0; index < count; index++) yield at(index)
    },
  }
}

const dayOf = (course: number) => new Date(FIRST_DAY + (course % 50) * 7 * DAY).toISOString().slice(0, 10)

/** Returns the share of the holder at `index` when `count` things are distributed evenly and in order: from and to. */
const shareOf = (count: number, holders: number, index: number): [number, number] => [
  Math.floor((count * index) / holders),
  Math.floor((count * (index + 1)) / holders),
]

/** Returns the text of an array's items, each on a line of its own, without the brackets. @param indent spaces */
function* itemLines(values: Iterable<unknown>, indent: number): Generator<string> {
  let separator = '\n'
  for (const value of values) {
    yield `${separator}${' '.repeat(indent)}${JSON.stringify(value)}`
    separator = ',\n'
  }
  if (separator !== '\n') yield `\n${' '.repeat(indent - 2)}`
}
