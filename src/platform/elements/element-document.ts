import * as z from 'zod'
import { elementTypeNames } from '../../emulator/world/element-type-names.js'
import type { World } from '../../emulator/world/world.js'
import type { Issue } from '../../foundation/schema/issue.js'
import { documentId, moment } from '../../foundation/schema/schema-words.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { forDocument, readElementBody } from './element-body.js'
import { elementTypes, isElementType } from './element-types.js'
import { defaultProperties, inProperties, readProperties, withIds } from './properties.js'

/** An element in a fixture document; the rules of its type are checked by `readElement`. */
export const elementFields = z.strictObject({
  id: documentId
    .refine((id) => id !== 'search', 'must not be "search": GET /v0/elements/search is the search for elements')
    .optional(),
  type: z.string(),
  name: z.unknown(),
  content: z.unknown().optional(),
  metadata: z.unknown().optional(),
  properties: z.unknown().optional(),
  module: z.string().optional(),
  position: z.int().min(0).optional(),
  cover: z.string().nullable().optional(),
  updated_at: moment.optional(),
})

/** The references of an element of a document, valid or not, and the place of the element: for `issuesOfReferences`. */
export type ElementDraft = Pick<RecordOf<'elements'>, 'id' | 'type' | 'organization' | 'course'> & {
  sent: Record<string, unknown>
  /** Position in the order of creation, given by exports only. */
  sequence?: number | undefined
}

/**
 * The fields of an element of a document and the issues of its own rules; references are checked later. A document is a
 * state and not a request, so a SOURCE video may have its URL in it. fixtures: "Checked whole"
 * @returns `fields` as far as they are valid, `sent`, the properties as the document has them, and the `issues`.
 */
export function readElement(world: Pick<World, 'random'>, given: z.output<typeof elementFields>) {
  const { fields, issues } = readElementBody(given, forDocument)
  const { name = '', content = '', metadata = {}, properties: sent = {} } = fields
  if (!isElementType(given.type)) {
    issues.push({ path: 'type', message: `must be one of ${elementTypeNames.join(', ')}` })
    return { fields: { name, content, metadata, properties: {} }, sent, issues }
  }
  const stored = defaultProperties(given.type)
  const { changed, result, issues: found } = readProperties(given.type, sent, stored)
  for (const rule of elementTypes[given.type].rules) found.push(...rule({ changed, result }))
  const properties = withIds({ ...stored, ...result }, world.random)
  return { fields: { name, content, metadata, properties }, sent, issues: [...issues, ...inProperties(found)] }
}

/** Returns true for types whose elements may refer to others. */
export const mayRefer = (type: string): boolean => isElementType(type) && elementTypes[type].references.length > 0

/** Returns the issues of what an element of a document refers to, once all of them are in the store. */
export function issuesOfReferences(
  world: Pick<World, 'settings' | 'store'>,
  { type, sent, sequence, ...where }: ElementDraft,
): Issue[] {
  if (!isElementType(type)) return []
  const referrer = { ...where, exported: sequence !== undefined, changed: sent, result: sent }
  return inProperties(elementTypes[type].references.flatMap((rule) => rule(world, referrer)))
}
