import * as z from 'zod'
import type { ElementTypeName } from '../../emulator/world/element-type-names.js'
import { idPattern } from '../../foundation/schema/id-pattern.js'
import { isObject } from '../../foundation/schema/is-object.js'
import * as words from '../../foundation/schema/schema-words.js'
import { activityFields } from '../../platform/activities/activity-record.js'
import { courseFields } from '../../platform/courses/course-record.js'
import { ELEMENT_NAME_LENGTH } from '../../platform/elements/element-body.js'
import { elementFields } from '../../platform/elements/element-document.js'
import { elementTypes } from '../../platform/elements/element-types.js'
import { metadataLimits } from '../../platform/elements/metadata.js'
import { moduleFields } from '../../platform/modules/module-record.js'
import { isEmail } from '../../platform/organizations/email.js'
import { userFields } from '../../platform/organizations/user-record.js'
import { Draws } from '../generator/draws.js'
import { inventPerson } from '../generator/invented-people.js'
import { inventValue, offeredBy } from './invented-answers.js'
import type { Shown } from './pages.js'
import { NEAREST, nearestFields } from './repair.js'
import type { HeldList, UnfinishedPull } from './unfinished-pull.js'

/** The parts that a conversion of resources into a fixture document needs. fixtures: "Fields" */
export interface Conversion {
  pulled: UnfinishedPull
  keepPeople: boolean
  /** The neutral name of a type as the platform calls it; undefined when nothing tells which one it is. */
  neutralType: (name: string, properties: Record<string, unknown>) => ElementTypeName | undefined
}

type Fields = Record<string, unknown>

type Note = (field: string, what: string) => void

interface Resource {
  /** Fields that a fixture document has as the wire has them. fixtures: "Fields", wire: §4 */
  same: Record<string, z.ZodType>
  /** Fields that the document expresses by position, or that `convert` reads. */
  others: string[]
  /** The list and the field of its parent, and the note on one whose parent was not read. */
  parent?: { list: HeldList; field: string; missing: string }
  /**
   * Returns the record of the document.
   * @param fields those of `same` that are valid, and its id there.
   * @param shown the resource as the platform shows it.
   */
  convert(fields: Fields & { id: string }, shown: Shown, note: Note, conversion: Conversion): Fields
}

/** ISO 8601 with a zone comes out as the wire writes it; seconds or milliseconds since 1970 are times as well. */
const moment = z.preprocess((value) => {
  const isZoned = typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(value)
  const isCount = typeof value === 'number' && value > 1e8
  const date = new Date(isCount && value < 1e11 ? value * 1000 : isZoned || isCount ? value : Number.NaN)
  return Number.isNaN(date.getTime()) ? value : date.toISOString()
}, z.iso.datetime())

const { first_name, last_name, email, avatar } = userFields(words)
const { status, passed, score } = activityFields(words)

/** Every resource of the platform, and how a fixture document holds it. */
export const resources: Record<HeldList, Resource> = {
  courses: {
    same: { ...courseFields(words), created_at: moment },
    others: [],
    convert: (fields, shown, note) => ({ shown_id: shown.id, course: named(fields, note) }),
  },
  modules: {
    same: { ...moduleFields(words), created_at: moment },
    others: ['position', 'course'],
    parent: { list: 'courses', field: 'course', missing: 'belongs to a course that is not listed; left out' },
    convert: (fields, _, note) => named(fields, note),
  },
  elements: {
    same: { cover: elementFields.shape.cover, created_at: moment, updated_at: moment },
    others: ['name', 'content', 'type', 'position', 'module', 'course', 'metadata', 'properties'],
    parent: { list: 'modules', field: 'module', missing: 'belongs to a module that is not listed; left out' },
    convert: convertElement,
  },
  members: {
    same: {
      first_name,
      last_name,
      full_name: z.string(),
      email,
      avatar,
      last_seen: moment.nullable(),
      created_at: moment,
    },
    others: ['is_email_verified'],
    convert: convertMember,
  },
  course_members: {
    same: { joined_at: moment, custom_fields: words.freeForm, created_at: moment },
    others: ['member', 'course'],
    /** The answers to questions when joining may be as personal as names. */
    convert: ({ id: user, ...fields }, _, __, { keepPeople }) =>
      keepPeople
        ? { user, ...fields }
        : { user, ...fields, custom_fields: inventValue(fields.custom_fields ?? {}, user) },
  },
  activities: {
    same: { status, passed, score, timestamp: moment, created_at: moment },
    others: ['completed_by', 'member', 'members', 'context', 'meta'],
    parent: { list: 'elements', field: 'context', missing: 'is about an element that is not listed; left out' },
    convert: convertActivity,
  },
}

/** Returns an id that a fixture document takes; one that it does not take becomes another, the same one each time. */
const fitId = (id: string): string => (idPattern.test(id) ? id : new Draws(`id ${id}`).token(16))

export const documentId = (value: unknown): string | undefined => {
  const id = isObject(value) ? value.id : value
  return typeof id === 'string' ? fitId(id) : undefined
}

/** Returns a resource as the document has it, under an id there. */
export function recordOf(conversion: Conversion, list: HeldList, shown: Shown, id: string): Fields {
  const { same, others, convert } = resources[list]
  const note: Note = (field, what) => conversion.pulled.note(list, field, what, id)
  if (typeof shown.id === 'string' && shown.id !== id) note('id', 'is not a valid ID for a fixture document; changed')
  const ignored = ['id', 'object', ...others]
  const given = Object.fromEntries(Object.entries(shown).filter(([field]) => !ignored.includes(field)))
  const fields: Fields & { id: string } = { id }
  const nearest = nearestFields(same, given, 'has no place in a fixture document; left out', note)
  for (const [field, value] of Object.entries(nearest)) fields[field] = same[field]?.parse(value)
  return convert(fields, shown, note, conversion)
}

/** Returns a course or a module. */
const named = (fields: Fields, note: Note) => ({ ...fields, name: fields.name ?? unnamed(note) })

function unnamed(note: Note): string {
  note('name', 'is missing; set to "Untitled"')
  return 'Untitled'
}

/** spec: §2.1 to §2.3, §8 */
function convertElement({ id, ...fields }: Fields, shown: Shown, note: Note, { neutralType }: Conversion) {
  const properties = objectIn(shown, 'properties', note)
  const known = neutralType(String(shown.type), properties)
  const type = known ?? 'CONTENT'
  if (!known) note('type', 'is not known; set to CONTENT')
  const whole = typeof shown.name === 'string' && shown.name !== '' ? shown.name : unnamed(note)
  const name = cut(whole, ELEMENT_NAME_LENGTH)
  if (name !== whole) note('name', `is longer than ${ELEMENT_NAME_LENGTH} characters; cut off`)
  const content = shown.content ?? ''
  if (typeof content !== 'string') note('content', 'is not a string; left out')
  const schemas = Object.entries(elementTypes[type].properties).map(([field, { input }]) => [field, input.nullable()])
  const strange = `is not a property of ${type}; left out`
  const nearest = nearestFields(Object.fromEntries(schemas), properties, strange, (field, what) =>
    note(`properties.${field}`, what),
  )
  return {
    ...{ id, type, ...fields, name, content: typeof content === 'string' ? content : '' },
    metadata: nearestMetadata(objectIn(shown, 'metadata', note), note),
    properties: withFittingIds(nearest),
  }
}

/** Returns an object in a field; an empty one in place of what is not valid. */
function objectIn(shown: Shown, field: string, note: Note): Fields {
  const value = shown[field] ?? {}
  if (!isObject(value)) note(field, 'is not an object; left out')
  return isObject(value) ? value : {}
}

const cut = (text: string, limit: number) => (text.length <= limit ? text : [...text].slice(0, limit).join(''))

function nearestMetadata(given: Fields, note: Note): Record<string, string> {
  const entries = Object.entries(given).map(([key, value]): [string, string] => [
    cut(key.replaceAll('[', '(').replaceAll(']', ')'), metadataLimits.keyLength),
    cut(typeof value === 'string' ? value : JSON.stringify(value), metadataLimits.valueLength),
  ])
  const kept = Object.fromEntries(entries.slice(0, metadataLimits.keys))
  if (JSON.stringify(kept) !== JSON.stringify(given)) note('metadata', NEAREST)
  return kept
}

/** Refers to elements by ids as the document has them. */
function withFittingIds({ source, inputs, ...properties }: Fields): Fields {
  const fitted = ({ element, scored_via, ...input }: Fields) => ({
    ...{ ...input, element: documentId(element) },
    ...(scored_via !== undefined && { scored_via: documentId(scored_via) ?? null }),
  })
  return {
    ...properties,
    ...(source !== undefined && { source: isObject(source) ? { id: documentId(source) } : source }),
    ...(inputs !== undefined && { inputs: Array.isArray(inputs) ? inputs.map(fitted) : inputs }),
  }
}

/** Returns a member as a user of the document, and since when. */
function convertMember(fields: Fields & { id: string }, shown: Shown, note: Note, { keepPeople }: Conversion) {
  const { id, created_at, ...person } = fields
  const invented = inventPerson(id)
  const { is_email_verified = false } = shown
  if (typeof is_email_verified !== 'boolean') note('is_email_verified', 'is not a boolean; set to false')
  const email_verified = is_email_verified === true
  if (!keepPeople) {
    const avatar = typeof person.avatar === 'string' ? invented.avatar : null
    return { user: { id, ...invented, avatar, email_verified, last_seen: person.last_seen }, created_at }
  }
  const isValid = isEmail(String(person.email))
  if (!isValid) note('email', 'is not an email address; replaced by an invented one')
  return { user: { id, ...person, email: isValid ? person.email : invented.email, email_verified }, created_at }
}

/** spec: §2.4, wire: §4 "activity" */
function convertActivity({ id, ...fields }: Fields, shown: Shown, note: Note, { pulled, keepPeople }: Conversion) {
  const member = documentId(shown.member)
  const members = Array.isArray(shown.members) ? shown.members.flatMap((one) => documentId(one) ?? []) : []
  if (member !== undefined && members.length > 0) note('members', 'is beside member; left out')
  const completer = documentId(shown.completed_by)
  const completed_by = completer !== undefined && pulled.has('members', completer) ? completer : null
  if (completer !== undefined && completed_by === null) note('completed_by', 'is not a member; left out')

  const element = pulled.get('elements', documentId(shown.context) ?? '')
  const { questions = [] } = (element?.properties ?? {}) as { questions?: Fields[] }
  const { responses: given = [], ...others } = objectIn(shown, 'meta', note)
  for (const _ of Object.keys(others)) note('meta', 'has fields other than responses; left out')
  if (!Array.isArray(given)) note('meta.responses', 'is not an array; left out')
  const entries: unknown[] = Array.isArray(given) ? given : []
  if (!entries.every(isObject)) note('meta.responses', 'has an entry that is not an object; left out')
  const responses = entries.filter(isObject).map(({ question: asked, value = null }, index) => {
    const question = questions.find((one) => one.id === asked)
    if (asked !== null && !question) note('meta.responses.question', 'is not a question of the element; set to null')
    return {
      question: question?.id ?? null,
      value: keepPeople ? value : inventValue(value, `${id}.${index}`, offeredBy(question)),
    }
  })
  return { id, ...fields, completed_by, responses, ...(member === undefined ? { members } : { member }) }
}
