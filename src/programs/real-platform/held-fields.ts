import { isObject } from '../../foundation/schema/is-object.js'
import { activityRecord } from '../../platform/activities/activity-record.js'
import { courseRecord } from '../../platform/courses/course-record.js'

/** Undefined: the document cannot hold this value. */
type Reader = (value: unknown) => unknown

const text: Reader = (value) => (typeof value === 'string' ? value : undefined)
const filledText: Reader = (value) => (typeof value === 'string' && value !== '' ? value : undefined)
const orNull =
  (reader: Reader): Reader =>
  (value) =>
    value === null ? null : reader(value)
const number: Reader = (value) => (typeof value === 'number' ? value : undefined)
const boolean: Reader = (value) => (typeof value === 'boolean' ? value : undefined)
const object: Reader = (value) => (isObject(value) ? value : undefined)
const oneOf =
  (names: readonly string[]): Reader =>
  (value) =>
    names.find((name) => name === value)

/** ISO 8601 with a zone comes out as the wire writes it; seconds or milliseconds since 1970 are times as well. */
const moment: Reader = (value) => {
  const isZoned = typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(value)
  const isCount = typeof value === 'number' && value > 1e8
  if (!isZoned && !isCount) return undefined
  const date = new Date(typeof value === 'number' && value < 1e11 ? value * 1000 : value)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

const { status, availability, visibility } = courseRecord.shape

/** What a fixture document holds of each resource as it is on the wire, and how. fixtures: "Fields", wire: §4 */
export const heldFields = {
  courses: {
    name: filledText,
    status: oneOf(status.options),
    cover: orNull(text),
    availability: oneOf(availability.options),
    visibility: oneOf(visibility.options),
    start_date: orNull(text),
    end_date: orNull(text),
    currency: orNull(text),
    price: orNull(number),
    free_label: orNull(text),
    url: orNull(text),
    public_url: orNull(text),
    join_url: orNull(text),
    metadata: object,
    custom_fields: object,
    created_at: moment,
  },
  modules: { name: filledText, metadata: object, created_at: moment },
  elements: { cover: orNull(text), created_at: moment, updated_at: moment },
  members: {
    first_name: text,
    last_name: text,
    full_name: text,
    email: text,
    avatar: orNull(text),
    last_seen: orNull(moment),
    created_at: moment,
  },
  course_members: { joined_at: moment, custom_fields: object, created_at: moment },
  activities: {
    status: oneOf(activityRecord.shape.status.options),
    passed: orNull(boolean),
    score: orNull(number),
    timestamp: moment,
    created_at: moment,
  },
} satisfies Record<string, Record<string, Reader>>

export type ResourceName = keyof typeof heldFields

/** What the document says by where something stands, or what the conversion of the resource reads by itself. */
const elsewhere: Record<ResourceName, string[]> = {
  courses: [],
  modules: ['position', 'course'],
  elements: ['name', 'content', 'type', 'position', 'module', 'course', 'metadata', 'properties'],
  members: ['is_email_verified'],
  course_members: ['member', 'course'],
  activities: ['completed_by', 'member', 'members', 'context', 'meta'],
}

/**
 * The fields of a resource that the document holds, as far as they are sound.
 * @param note told of each field that is left out, and what for.
 */
export function readHeldFields(
  resource: ResourceName,
  shown: Record<string, unknown>,
  note: (field: string, what: string) => void,
): Record<string, unknown> {
  const readers: Record<string, Reader> = heldFields[resource]
  const held: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(shown)) {
    if (field === 'id' || field === 'object' || elsewhere[resource].includes(field)) continue
    const reader = Object.hasOwn(readers, field) ? readers[field] : undefined
    const read = reader?.(value)
    if (!reader) note(fieldName(field), 'has no place in a fixture document; left out')
    else if (read === undefined) note(field, 'is not valid here; left out')
    else held[field] = read
  }
  return held
}

/** A name that is no plain one may be data: it is not told. */
const fieldName = (name: string) => (/^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(name) ? name : '(a field)')
