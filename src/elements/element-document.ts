import type { Detail } from '../refusal.js'
import type { ElementDocument } from '../store/document.js'
import type { RecordOf } from '../store/records.js'
import type { World } from '../world.js'

type ElementFields = Pick<RecordOf<'elements'>, 'name' | 'content' | 'metadata' | 'properties'>

/** An element of a document, its own rules checked, with where it belongs. */
export type ElementDraft = ElementFields &
  Pick<RecordOf<'elements'>, 'id' | 'type' | 'organization' | 'course' | 'module' | 'order'>

/** The fields of an element of a document, and the faults of its own rules; references are judged later. */
export function readElement(_world: World, given: ElementDocument): { fields: ElementFields; details: Detail[] } {
  const { name, content = '', metadata = {}, properties = {} } = given
  return { fields: { name, content, metadata, properties } as ElementFields, details: [] }
}

/** The faults of what an element of a document refers to, once all of them are in the store. */
export function faultsOfReferences(_world: World, _draft: ElementDraft): Detail[] {
  return []
}
