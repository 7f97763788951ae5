import * as z from 'zod'
import type { ElementTypeName } from '../../emulator/world/element-type-names.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { ELEMENT_NAME_LENGTH } from '../../platform/elements/element-body.js'
import { metadataLimits } from '../../platform/elements/metadata.js'
import { inventPerson } from '../generator/invented-people.js'
import type { Approximations } from './approximations.js'
import { type ResourceName, readHeldFields } from './held-fields.js'
import { fitId } from './invention.js'
import { nearestProperties } from './nearest-properties.js'
import type { Shown } from './pages.js'
import { inventValue } from './people.js'

/** How what the platform shows becomes what a fixture document says, one resource at a time. fixtures: "Fields" */
export interface Conversion {
  approximations: Approximations
  keepPeople: boolean
  /** The neutral name of a type as the platform calls it; undefined when nothing tells which one it is. */
  neutralType: (name: string, properties: Record<string, unknown>) => ElementTypeName | undefined
}

const NEAREST = 'is not valid here; changed to the nearest valid value'

export const idOf = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? fitId(value)
    : isObject(value) && typeof value.id === 'string'
      ? fitId(value.id)
      : undefined

const noteFor =
  ({ approximations }: Conversion, resource: ResourceName, id: string) =>
  (field: string, what: string) =>
    approximations.note(resource, field, what, id)

/** @param id as it is in the document; another one than the platform's is listed. */
function held(conversion: Conversion, resource: ResourceName, shown: Shown, id: string) {
  const note = noteFor(conversion, resource, id)
  if (typeof shown.id === 'string' && shown.id !== id) note('id', 'is not a valid ID for a fixture document; changed')
  return { note, fields: readHeldFields(resource, shown, note) }
}

export function convertCourse(conversion: Conversion, shown: Shown, id: string) {
  const { note, fields } = held(conversion, 'courses', shown, id)
  return { id, ...fields, name: fields.name ?? unnamed(note) }
}

export function convertModule(conversion: Conversion, shown: Shown, id: string) {
  const { note, fields } = held(conversion, 'modules', shown, id)
  return { id, ...fields, name: fields.name ?? unnamed(note) }
}

function unnamed(note: (field: string, what: string) => void): string {
  note('name', 'is missing; set to "Untitled"')
  return 'Untitled'
}

/** spec: §2.1 to §2.3, §8 */
export function convertElement(conversion: Conversion, shown: Shown, id: string) {
  const { note, fields } = held(conversion, 'elements', shown, id)
  const properties = isObject(shown.properties) ? shown.properties : {}
  const type = conversion.neutralType(String(shown.type), properties)
  if (!type) note('type', 'is not known; set to CONTENT')
  const name = typeof shown.name === 'string' && shown.name !== '' ? shown.name : unnamed(note)
  if (cut(name, ELEMENT_NAME_LENGTH) !== name) note('name', `is longer than ${ELEMENT_NAME_LENGTH} characters; cut off`)
  if (shown.content != null && typeof shown.content !== 'string') note('content', 'is not a string; left out')
  return {
    id,
    type: type ?? 'CONTENT',
    ...fields,
    name: cut(name, ELEMENT_NAME_LENGTH),
    content: typeof shown.content === 'string' ? shown.content : '',
    metadata: nearestMetadata(shown.metadata ?? {}, note),
    properties: withFittingIds(nearestProperties(type ?? 'CONTENT', properties, note)),
  }
}

const cut = (text: string, limit: number) => (text.length <= limit ? text : [...text].slice(0, limit).join(''))

function nearestMetadata(given: unknown, note: (field: string, what: string) => void): Record<string, string> {
  if (!isObject(given)) {
    note('metadata', 'is not an object; left out')
    return {}
  }
  const entries = Object.entries(given).map(([key, value]): [string, string] => [
    cut(key.replaceAll('[', '(').replaceAll(']', ')'), metadataLimits.keyLength),
    cut(typeof value === 'string' ? value : JSON.stringify(value), metadataLimits.valueLength),
  ])
  const kept = Object.fromEntries(entries.slice(0, metadataLimits.keys))
  if (JSON.stringify(kept) !== JSON.stringify(given)) note('metadata', NEAREST)
  return kept
}

/** References to elements by ids as the document has them. */
function withFittingIds(properties: Record<string, unknown>): Record<string, unknown> {
  const { source, inputs } = properties
  const fitted = { ...properties }
  if (isObject(source)) fitted.source = { id: idOf(source) }
  if (Array.isArray(inputs)) {
    fitted.inputs = inputs.map((input) => ({
      ...input,
      ...(typeof input.element === 'string' && { element: fitId(input.element) }),
      ...(typeof input.scored_via === 'string' && { scored_via: fitId(input.scored_via) }),
    }))
  }
  return fitted
}

/** A member as a user of the document, and since when. People are made up unless they are to be kept. */
export function convertMember(conversion: Conversion, shown: Shown, id: string) {
  const { note, fields } = held(conversion, 'members', shown, id)
  const { created_at, ...person } = fields
  const email_verified = shown.is_email_verified === true
  if (conversion.keepPeople) {
    if (!isEmail(person.email)) note('email', 'is not an email address; replaced by an invented one')
    const email = isEmail(person.email) ? person.email : inventPerson(id).email
    return { user: { id, ...person, email, email_verified }, created_at }
  }
  const invented = inventPerson(id)
  const avatar = typeof person.avatar === 'string' ? invented.avatar : null
  const { last_seen } = person
  return {
    user: { id, ...invented, avatar, email_verified, ...(last_seen !== undefined && { last_seen }) },
    created_at,
  }
}

const emailSchema = z.email()
const isEmail = (value: unknown): value is string => typeof value === 'string' && emailSchema.safeParse(value).success

/** What members are asked when they join may be as personal as their names. */
export function convertCourseMember(conversion: Conversion, shown: Shown, user: string) {
  const { fields } = held(conversion, 'course_members', { ...shown, id: user }, user)
  if (conversion.keepPeople) return { user, ...fields }
  return { user, ...fields, custom_fields: inventValue(fields.custom_fields ?? {}, user) }
}

/**
 * @param questions of the element that it is about, as the document has them.
 * @param isKnown whether the document has a user of that id.
 */
export function convertActivity(
  conversion: Conversion,
  shown: Shown,
  id: string,
  questions: readonly Record<string, unknown>[],
  isKnown: (user: string) => boolean,
) {
  const { note, fields } = held(conversion, 'activities', shown, id)
  const member = idOf(shown.member)
  const members = Array.isArray(shown.members) ? shown.members.flatMap((one) => idOf(one) ?? []) : []
  const completed_by = idOf(shown.completed_by) ?? null
  if (completed_by !== null && !isKnown(completed_by)) note('completed_by', 'is not a member; left out')
  return {
    id,
    ...fields,
    completed_by: completed_by !== null && isKnown(completed_by) ? completed_by : null,
    responses: convertResponses(conversion, shown, id, questions, note),
    ...(member === undefined ? { members } : { member }),
  }
}

function convertResponses(
  { keepPeople }: Conversion,
  { meta }: Shown,
  activity: string,
  questions: readonly Record<string, unknown>[],
  note: (field: string, what: string) => void,
) {
  const { responses, ...others } = isObject(meta) ? meta : {}
  for (const _ of Object.keys(others)) note('meta', 'has fields other than responses; left out')
  if (responses !== undefined && !Array.isArray(responses)) note('meta.responses', 'is not an array; left out')
  return (Array.isArray(responses) ? responses : []).filter(isObject).map((response, index) => {
    const question = questions.find(({ id }) => id === response.question)
    if (response.question !== null && !question)
      note('meta.responses.question', 'is not a question of the element; set to null')
    const value = response.value ?? null
    return {
      question: question ? question.id : null,
      value: keepPeople ? value : inventValue(value, `${activity}.${index}`, offeredBy(question)),
    }
  })
}

/** What the question itself offers as answers: nobody wrote that. */
function offeredBy(question: Record<string, unknown> | undefined): ReadonlySet<string> {
  const choices = [question?.options, question?.answers].flatMap((list) => (Array.isArray(list) ? list : []))
  const texts = [...choices.flatMap(({ id, text }) => [id, text]), question?.yes_text, question?.no_text]
  return new Set(texts.filter((text) => typeof text === 'string'))
}
