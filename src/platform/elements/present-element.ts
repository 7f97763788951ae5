import type { World } from '../../emulator/world/world.js'
import type { ElementRecord } from './element-record.js'
import { positionOf } from './positions.js'
import { presentProperties } from './properties.js'
import { wireType } from './type-names.js'

/** wire: §4 "element" */
export function presentElement(world: Pick<World, 'settings' | 'store'>, element: ElementRecord) {
  const { id, name, content, type, module, course, cover, metadata, created_at, updated_at } = element
  return {
    id,
    object: 'element',
    name,
    content,
    type: wireType(world, type),
    position: positionOf(world, element),
    module,
    course,
    cover,
    metadata,
    properties: presentProperties(world, element),
    created_at,
    updated_at,
  }
}

/** Returns the element that an activity is about. wire: §4 "activity" */
export function presentContext(world: Pick<World, 'settings' | 'store'>, element: ElementRecord) {
  const { id, name, type, module } = element
  return { id, object: 'element', name, type: wireType(world, type), position: positionOf(world, element), module }
}
