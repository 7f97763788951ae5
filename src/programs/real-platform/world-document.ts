import { closeSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { itemLines } from '../../control/fixtures/item-lines.js'
import type { Approximations } from './approximations.js'
import type { PulledRecords } from './pulled-records.js'
import { type CourseDocument, soundCourse } from './sound-course.js'

export interface WorldOptions {
  organization: string
  name: string
  /** Only these courses were read, and only whoever has to do with them is kept. */
  courses: string[]
  keepPeople: boolean
  apiKey: string
  typeNames: Record<string, string>
  out: string
}

/**
 * Writes what has been read as a fixture document, one course after the other, so that no more than a course is in memory.
 * The file is there when it is whole, and not before.
 */
export async function writeWorldDocument(
  options: WorldOptions,
  records: PulledRecords,
  approximations: Approximations,
) {
  const { out, keepPeople } = options
  const draft = join(records.unfinished.folder, 'document.json')
  // Real people's data is for its owner's eyes alone.
  const file = openSync(draft, 'w', keepPeople ? 0o600 : 0o666)
  try {
    for await (const text of documentText(options, records, approximations)) writeSync(file, text)
  } finally {
    closeSync(file)
  }
  renameSync(draft, out)
}

async function* documentText(
  options: WorldOptions,
  records: PulledRecords,
  approximations: Approximations,
): AsyncGenerator<string> {
  const { organization: slug, name, apiKey, typeNames } = options
  // Something to call it with; never the platform's own key.
  const ownKey = `test_key_${slug}`
  const people = peopleOf(options, records)
  yield '{\n'
  if (Object.keys(typeNames).length > 0) {
    yield `  "settings": ${indented({ element_type_names: typeNames }, 2)},\n`
  }
  yield '  "users": ['
  yield* itemLines(users(records, people), 4)
  yield '],\n  "organizations": [\n    {\n'
  yield `      "slug": ${JSON.stringify(slug)},\n      "name": ${JSON.stringify(name)},\n`
  if (ownKey !== apiKey) yield `      "api_key": ${JSON.stringify(ownKey)},\n`
  yield '      "members": ['
  yield* itemLines(memberships(records, people), 8)
  yield '],\n      "courses": ['
  yield* courses(records, approximations)
  yield ']\n    }\n  ]\n}\n'
}

/** The oldest member first; those who are met without being listed come last. */
function peopleOf({ courses }: WorldOptions, records: PulledRecords): string[] {
  const all = records.byHolder('members').get('') ?? []
  if (courses.length === 0) return all
  const concerned = new Set<unknown>()
  for (const id of records.ids('course_members')) concerned.add(records.get('course_members', id)?.user)
  for (const id of records.ids('activities')) {
    const { member, members, completed_by } = records.get('activities', id) ?? {}
    for (const user of [member, completed_by, ...(Array.isArray(members) ? members : [])]) concerned.add(user)
  }
  return all.filter((id) => concerned.has(id))
}

function* users(records: PulledRecords, people: string[]) {
  for (const id of people) yield records.get('members', id)?.user
}

/** `/v0` shows no roles; an organization needs an owner, or nobody could install an app. */
function* memberships(records: PulledRecords, people: string[]) {
  for (const [index, user] of people.entries()) {
    const created_at = records.get('members', user)?.created_at
    yield { user, role: index === 0 ? 'owner' : 'learner', ...(created_at !== undefined && { created_at }) }
  }
}

async function* courses(records: PulledRecords, approximations: Approximations): AsyncGenerator<string> {
  const held = {
    modules: records.byHolder('modules'),
    elements: records.byHolder('elements'),
    members: records.byHolder('course_members'),
    activities: records.byHolder('activities'),
  }
  let separator = '\n'
  for (const id of records.ids('courses')) {
    const course = {
      ...(records.get('courses', id)?.course as CourseDocument),
      modules: (held.modules.get(id) ?? []).map((module) => ({
        ...(records.get('modules', module) as NonNullable<CourseDocument['modules']>[number]),
        elements: (held.elements.get(module) ?? []).map((element) => records.get('elements', element) as never),
      })),
    }
    const { modules = [], ...fields } = await soundCourse(course, (field, what, element) =>
      approximations.note(element ? 'elements' : 'courses', field, what, element ?? id),
    )
    yield `${separator}        {\n${fieldsText(fields, 10)},\n          "members": [`
    yield* itemLines(recordsOf(records, 'course_members', held.members.get(id)), 12)
    yield '],\n          "modules": ['
    for (const [index, { elements = [], ...module }] of modules.entries()) {
      yield `${index > 0 ? ',' : ''}\n            {\n${fieldsText(module, 14)},\n              "elements": [`
      for (const [index, element] of elements.entries()) {
        const activities = held.activities.get(element.id as string)
        yield `${index > 0 ? ',' : ''}\n                {\n${fieldsText(element, 18)},\n                  "activities": [`
        yield* itemLines(recordsOf(records, 'activities', activities), 20)
        yield ']\n                }'
      }
      yield `${elements.length > 0 ? '\n              ' : ''}]\n            }`
    }
    yield `${modules.length > 0 ? '\n          ' : ''}]\n        }`
    separator = ',\n'
  }
  if (separator !== '\n') yield '\n      '
}

function* recordsOf(records: PulledRecords, list: 'course_members' | 'activities', ids: string[] = []) {
  for (const id of ids) yield records.get(list, id)
}

/** The fields of an object that goes on after them. */
const fieldsText = (fields: object, indent: number) =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${' '.repeat(indent)}${JSON.stringify(name)}: ${indented(value, indent)}`)
    .join(',\n')

const indented = (value: unknown, indent: number) =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`)
