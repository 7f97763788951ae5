import * as z from 'zod'
import { jsonObjectIn } from '../../foundation/http/json-or-text.js'
import { invalid } from '../../foundation/http/refusal.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { belowPrefix, type ExplainedIssue, readBySchema } from '../../foundation/schema/issue.js'
import { integer, text, textUpTo } from './fields.js'
import { metadata } from './metadata.js'

export const ELEMENT_NAME_LENGTH = 255

/** spec: §2.1, wire: §5 `name` */
export const elementName = textUpTo(ELEMENT_NAME_LENGTH).min(1, 'must not be empty')

/** The fields of an element that no type changes. A `content` of null is an empty one. spec: §2.1, §8; wire: §5 */
const fields = {
  module: text,
  name: elementName,
  content: text.nullable().transform((content) => content ?? ''),
  position: integer({ min: 0 }),
  type: z.unknown(),
  metadata,
  properties: z.unknown().refine(isObject, 'must be an object') as z.ZodType<Record<string, unknown>>,
}

type Field = keyof typeof fields

export interface ElementBody {
  /** The valid ones of the fields that were sent. */
  fields: { [F in Field]?: z.output<(typeof fields)[F]> }
  issues: ExplainedIssue[]
}

interface KnownFields {
  known: Field[]
  required: Field[]
}

/** spec: §4.3 */
export const forCreate: KnownFields = { known: Object.keys(fields) as Field[], required: ['module', 'name', 'type'] }

/** The fields that an update takes. Others may be sent back as they were read. spec: §4.5, wire: §2 */
export const forUpdate: KnownFields = { known: ['name', 'content', 'position', 'metadata', 'properties'], required: [] }

/** `type`, `module` and `position` are the document's own business. fixtures: "Fields" */
export const forDocument: KnownFields = { known: ['name', 'content', 'metadata', 'properties'], required: ['name'] }

/** @throws Refusal 400 when the body is not an object at all. */
export function readElementBody(body: unknown, { known, required }: KnownFields): ElementBody {
  const given = jsonObject(body)
  const read: ElementBody = { fields: {}, issues: [] }
  for (const field of known) {
    if (!Object.hasOwn(given, field)) {
      if (required.includes(field)) read.issues.push({ path: field, message: 'is required' })
      continue
    }
    const { data, issues } = readBySchema(fields[field] as z.ZodType, given[field])
    if (issues) read.issues = read.issues.concat(belowPrefix(issues, [field]))
    else Object.assign(read.fields, { [field]: data })
  }
  return read
}

/** Returns the JSON object that a body holds; an empty one when none was sent. @throws Refusal 400 for another value. */
export function jsonObject(body: unknown = {}): Record<string, unknown> {
  if (isObject(body)) return body
  const message = 'the body must be a JSON object'
  const isText = typeof body === 'string' && jsonObjectIn(body) !== undefined
  throw invalid([{ path: '', message, ...(isText && { reason: `${message}; it is JSON that was serialized twice` }) }])
}
