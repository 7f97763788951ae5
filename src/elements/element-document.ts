import type { Detail } from '../refusal.js'
import type { ElementDocument } from '../store/document.js'
import type { RecordOf } from '../store/records.js'
import type { World } from '../world.js'
import { readDocumentFields } from './element-body.js'
import { elementTypes, isElementType } from './element-types.js'
import { readProperties, unsetProperties, withIds } from './properties.js'
import { elementTypeNames } from './type-names.js'

type ElementFields = Pick<RecordOf<'elements'>, 'name' | 'content' | 'metadata' | 'properties'>

/** What an element of a document says of others, sound or not, with where it belongs: for `faultsOfReferences`. */
export type ElementDraft = Pick<RecordOf<'elements'>, 'id' | 'type' | 'organization' | 'course'> & {
  sent: Record<string, unknown>
  /** Only exports give one. */
  sequence?: number | undefined
}

interface ReadElement {
  /** As far as they are sound. */
  fields: ElementFields
  /** The properties as the document has them. */
  sent: Record<string, unknown>
  details: Detail[]
}

/**
 * The fields of an element of a document and the faults of its own rules; references are judged later. A document is a
 * state and not a request, so a SOURCE video may have its URL in it. fixtures: "Checked whole"
 */
export function readElement(world: World, given: ElementDocument): ReadElement {
  const { fields, details } = readDocumentFields(given)
  const { name = '', content = '', metadata = {}, properties: sent = {} } = fields
  if (!isElementType(given.type)) {
    details.push({ path: 'type', message: `must be one of ${elementTypeNames.join(', ')}` })
    return { fields: { name, content, metadata, properties: {} }, sent, details }
  }
  const stored = unsetProperties(given.type)
  const { changed, result, details: faults } = readProperties(given.type, sent, stored)
  for (const rule of elementTypes[given.type].rules) faults.push(...rule({ changed, result }))
  const properties = withIds({ ...stored, ...result }, world.random)
  return {
    fields: { name, content, metadata, properties },
    sent,
    details: [...details, ...faults.map(({ path, message }) => ({ path: `properties.${path}`, message }))],
  }
}

/** The faults of what an element of a document refers to, once all of them are in the store. */
export function faultsOfReferences(world: World, { type, sent, sequence, ...where }: ElementDraft): Detail[] {
  if (!isElementType(type)) return []
  const exported = sequence !== undefined
  return elementTypes[type].references
    .flatMap((rule) => rule(world, { ...where, exported, changed: sent, result: sent }))
    .map(({ path, message }) => ({ path: `properties.${path}`, message }))
}
