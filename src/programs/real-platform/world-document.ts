import { closeSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type CourseDocument, soundCourse } from './repair.js'
import type { HeldList, UnfinishedPull } from './unfinished-pull.js'

export interface WorldOptions {
  organization: string
  name: string
  /** Only these courses were read, and only people who have to do with them are kept. */
  courses: string[]
  keepPeople: boolean
  apiKey: string
  out: string
}

/**
 * Writes what has been read as a fixture document, so that no more than a course without its activities is in memory. The
 * file appears when it is complete.
 */
export async function writeWorldDocument(options: WorldOptions, pulled: UnfinishedPull): Promise<void> {
  const draft = join(pulled.folder, 'document.json')
  // Real people's data is for its owner's eyes alone.
  const file = openSync(draft, 'w', options.keepPeople ? 0o600 : 0o666)
  try {
    for await (const text of jsonText(worldDocument(options, pulled))) writeSync(file, text)
    writeSync(file, '\n')
  } finally {
    closeSync(file)
  }
  renameSync(draft, options.out)
}

/** The document, whose long lists are generators. */
function worldDocument(options: WorldOptions, pulled: UnfinishedPull) {
  const { organization: slug, name, apiKey } = options
  const { names } = pulled.progress
  // Something to call it with; never the platform's own key.
  const ownKey = `test_key_${slug}`
  const people = peopleOf(options, pulled)
  return {
    settings: Object.keys(names).length > 0 ? { element_type_names: names } : undefined,
    users: recordsOf(pulled, 'members', people, ({ user }) => user),
    organizations: [
      {
        slug,
        name,
        api_key: ownKey === apiKey ? undefined : ownKey,
        // `/v0` shows no roles; an organization needs an owner, or no user could install an app.
        members: recordsOf(pulled, 'members', people, ({ created_at }, id) => ({
          user: id,
          role: id === people[0] ? 'owner' : 'learner',
          created_at,
        })),
        courses: coursesOf(pulled),
      },
    ],
  }
}

/** The oldest member first; those who occur without being listed come last. */
function peopleOf({ courses }: WorldOptions, pulled: UnfinishedPull): string[] {
  const all = pulled.byHolder('members').get('') ?? []
  if (courses.length === 0) return all
  const concerned = new Set<unknown>()
  for (const id of pulled.ids('course_members')) concerned.add(pulled.get('course_members', id)?.user)
  for (const id of pulled.ids('activities')) {
    const { member, members, completed_by } = pulled.get('activities', id) ?? {}
    for (const user of [member, completed_by, ...(Array.isArray(members) ? members : [])]) concerned.add(user)
  }
  return all.filter((id) => concerned.has(id))
}

async function* coursesOf(pulled: UnfinishedPull) {
  const [modules, elements] = [pulled.byHolder('modules'), pulled.byHolder('elements')]
  const [members, activities] = [pulled.byHolder('course_members'), pulled.byHolder('activities')]
  for (const id of pulled.ids('courses')) {
    const read = {
      ...(pulled.get('courses', id)?.course as CourseDocument),
      modules: (modules.get(id) ?? []).map((module) => ({
        ...(pulled.get('modules', module) as NonNullable<CourseDocument['modules']>[number]),
        elements: (elements.get(module) ?? []).map((element) => pulled.get('elements', element) as never),
      })),
    }
    const course = await soundCourse(read, (field, what, element) =>
      pulled.note(element ? 'elements' : 'courses', field, what, element ?? id),
    )
    yield {
      ...course,
      members: recordsOf(pulled, 'course_members', members.get(id)),
      modules: course.modules?.map((module) => ({
        ...module,
        elements: module.elements?.map((element) => ({
          ...element,
          activities: recordsOf(pulled, 'activities', activities.get(element.id as string)),
        })),
      })),
    }
  }
}

function* recordsOf(
  pulled: UnfinishedPull,
  list: HeldList,
  ids: string[] = [],
  show: (record: Record<string, unknown>, id: string) => unknown = (record) => record,
) {
  for (const id of ids) yield show(pulled.get(list, id) ?? {}, id)
}

/** Writes JSON piece by piece: lists are iterables, with each plain item on a line; `undefined` fields are left out. */
async function* jsonText(value: unknown, indent = ''): AsyncGenerator<string> {
  const inner = `${indent}  `
  const isList = isIterable(value)
  let separator = '\n'
  yield isList ? '[' : '{'
  for await (const item of isList ? value : Object.entries(value as object)) {
    const [name, field] = isList ? [undefined, item] : (item as [string, unknown])
    if (field === undefined) continue
    yield `${separator}${inner}${name === undefined ? '' : `${JSON.stringify(name)}: `}`
    if (hasIterator(field)) yield* jsonText(field, inner)
    else yield isList ? JSON.stringify(field) : JSON.stringify(field, null, 2).replaceAll('\n', `\n${inner}`)
    separator = ',\n'
  }
  yield `${separator === '\n' ? '' : `\n${indent}`}${isList ? ']' : '}'}`
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> =>
  typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)

/** True for what holds a generator, at any depth. */
const hasIterator = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ((isIterable(value) && !Array.isArray(value)) || Object.values(value).some(hasIterator))
