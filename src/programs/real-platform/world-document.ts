import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inventPerson } from '../generator/invented-people.js'
import { streamedJson } from '../generator/streamed-json.js'
import { repairCourse } from './repair.js'
import type { Line, UnfinishedPull } from './unfinished-pull.js'

export interface WorldOptions {
  organization: string
  name: string
  /** The courses that were read. Only people who have to do with them are kept. */
  courses: string[]
  keepPeople: boolean
  apiKey: string
  out: string
}

/** Writes what has been read as a fixture document. The file appears when it is complete. */
export async function writeWorldDocument(options: WorldOptions, pulled: UnfinishedPull): Promise<void> {
  const { organization: slug, name, apiKey, out, keepPeople } = options
  // Something to call it with; never the platform's own key.
  const ownKey = `test_key_${slug}`
  const people = peopleOf(options, pulled)
  // `/v0` shows no roles; an organization needs an owner, or no user could install an app.
  const members = people.map(({ id: user, record: { created_at } }, index) => {
    return { user, role: index === 0 ? 'owner' : 'learner', created_at }
  })
  const users = usersOf(people, pulled)
  const courses = await coursesOf(pulled)
  const api_key = ownKey === apiKey ? undefined : ownKey
  const document = {
    settings: Object.keys(pulled.names).length > 0 ? { element_type_names: pulled.names } : undefined,
    users: users.values(),
    organizations: [{ slug, name, api_key, members: members.values(), courses: courses.values() }],
  }
  const draft = join(pulled.folder, 'document.json')
  // Real people's data is for its owner's eyes alone.
  await writeFile(draft, streamedJson(document), { mode: keepPeople ? 0o600 : 0o666 })
  await rename(draft, out)
}

/** The oldest member first; those who occur without being listed come last. */
function peopleOf({ courses }: WorldOptions, pulled: UnfinishedPull): Line[] {
  const timeOf = ({ record }: Line) => Date.parse(String(record.created_at)) || Number.MAX_SAFE_INTEGER
  // The platform may list them in another order than it documents.
  const all = (pulled.byHolder('members').get('') ?? []).sort((one, other) => timeOf(one) - timeOf(other))
  if (courses.length === 0) return all
  const concerned = new Set<unknown>(pulled.lines('course_members').map(({ record }) => record.user))
  for (const { record } of pulled.lines('activities')) {
    const { member, members = [], completed_by } = record
    for (const user of [member, completed_by, members].flat()) concerned.add(user)
  }
  return all.filter(({ id }) => concerned.has(id))
}

/** Addresses that differ only in case are one to the emulator. */
function usersOf(people: Line[], pulled: UnfinishedPull): object[] {
  const emails = new Set<string>()
  return people.map(({ id, record }) => {
    const user = record.user as { email: string }
    const email = user.email.toLowerCase()
    const isTaken = emails.has(email)
    emails.add(email)
    if (!isTaken) return user
    pulled.note('members', 'email', 'is that of another member; replaced by an invented one', id)
    return { ...user, email: inventPerson(id).email }
  })
}

async function coursesOf(pulled: UnfinishedPull) {
  const [modules, elements] = [pulled.byHolder('modules'), pulled.byHolder('elements')]
  const [members, activities] = [pulled.byHolder('course_members'), pulled.byHolder('activities')]
  const recordsOf = (lines: Line[] = []) => lines.map(({ record }) => record as { id: string })
  const courses: object[] = []
  for (const { id, record } of pulled.lines('courses')) {
    const ofModule = (module: Line) => ({ ...module.record, elements: recordsOf(elements.get(module.id)) })
    const course = { ...(record.course as object), modules: (modules.get(id) ?? []).map(ofModule) }
    await repairCourse(course, (field, what, element) =>
      pulled.note(element ? 'elements' : 'courses', field, what, element ?? id),
    )
    for (const element of course.modules.flatMap((module) => module.elements)) {
      Object.assign(element, { activities: listOf(activities.get(element.id)) })
    }
    courses.push({ ...course, members: listOf(members.get(id)) })
  }
  return courses
}

/** An iterator, so that it is written record by record. */
const listOf = (lines: Line[] = []) => lines.map(({ record }) => record).values()
