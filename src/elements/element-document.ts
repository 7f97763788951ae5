import type { Detail } from '../refusal.js'
import type { ElementDocument } from '../store/document.js'
import type { RecordOf } from '../store/records.js'
import type { World } from '../world.js'
import { readDocumentFields } from './element-body.js'
import { type ElementTypeName, elementTypeNames, elementTypes, isElementType } from './element-types.js'
import { isObject } from './json.js'
import { readProperties, unsetProperties, withIds } from './properties.js'

type ElementFields = Pick<RecordOf<'elements'>, 'name' | 'content' | 'metadata' | 'properties'>

/** An element of a document, its own rules checked, with where it belongs. */
export type ElementDraft = ElementFields &
  Pick<RecordOf<'elements'>, 'id' | 'type' | 'organization' | 'course' | 'module' | 'order'>

/**
 * The fields of an element of a document, as far as they are sound, and the faults of its own rules; references are
 * judged later. A document is a state and not a request, so a SOURCE video may have its URL in it. fixtures: "Checked whole"
 */
export function readElement(world: World, given: ElementDocument): { fields: ElementFields; details: Detail[] } {
  const { fields, details } = readDocumentFields(given)
  const { name = '', content = '', metadata = {}, properties: sent } = fields
  if (!isElementType(given.type)) {
    details.push({ path: 'type', message: `must be one of ${elementTypeNames.join(', ')}` })
    return { fields: { name, content, metadata, properties: {} }, details }
  }
  const stored = unsetProperties(given.type)
  if (!isObject(sent)) return { fields: { name, content, metadata, properties: stored }, details }
  const { changed, result, details: faults } = readProperties(given.type, sent, stored)
  for (const rule of elementTypes[given.type].rules) faults.push(...rule({ changed, result }))
  const properties = withIds({ ...stored, ...result }, world.random)
  return {
    fields: { name, content, metadata, properties },
    details: [...details, ...faults.map(({ path, message }) => ({ path: `properties.${path}`, message }))],
  }
}

/** The faults of what an element of a document refers to, once all of them are in the store. */
export function faultsOfReferences(world: World, { properties, ...draft }: ElementDraft): Detail[] {
  const referrer = { ...draft, changed: properties, result: properties }
  return elementTypes[draft.type as ElementTypeName].references
    .flatMap((rule) => rule(world, referrer))
    .map(({ path, message }) => ({ path: `properties.${path}`, message }))
}
