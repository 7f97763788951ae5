import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { text } from './fields.js'
import { type ReferenceRule, resolveReference } from './references.js'
import { wireType, wireTypeSchema } from './type-names.js'

/** Presents a stored property on the wire. */
export type Presenter = (world: Pick<World, 'settings' | 'store'>, stored: unknown) => unknown

/** A source in a request: `{ id }`. `type` and `name` are accepted too, so that a client can send back what it read. wire: §5 */
export const sourceInput = z
  .strictObject({ id: text, type: z.unknown().optional(), name: z.unknown().optional() })
  .transform(({ id }) => ({ id }))

/** A source in a response. spec: §2.3 */
export const sourceOutput = z.strictObject({ type: wireTypeSchema, id: text, name: text })

/** Returns the id that a stored `source` names. */
export const sourceId = (source: unknown): string | undefined =>
  isObject(source) && typeof source.id === 'string' ? source.id : undefined

export const presentSource: Presenter = (world, source) => {
  const element = world.store.elements.get(sourceId(source) ?? '')
  return element ? { type: wireType(world, element.type), id: element.id, name: element.name } : null
}

/** `source` names an element of one of these types in the same course. spec: §2.3 "Required element type of `source`" */
export const sourceIs =
  (types: string[]): ReferenceRule =>
  (world, referrer) => {
    const id = Object.hasOwn(referrer.changed, 'source') ? sourceId(referrer.changed.source) : undefined
    if (id === undefined) return []
    const found = resolveReference(world, referrer, id)
    if ('issue' in found) return [{ path: 'source', ...found.issue }]
    if (types.includes(found.element.type)) return []
    const wanted = types.map((type) => wireType(world, type)).join(' or ')
    const message = `must be of type ${wanted}; it is of type ${wireType(world, found.element.type)}`
    return [{ path: 'source', message }]
  }
