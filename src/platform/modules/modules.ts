import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { resource } from '../../foundation/http/resource-schemas.js'
import { freeForm } from '../../foundation/schema/schema-words.js'
import type { ModuleRecord } from './module-record.js'

/** wire: §4 "module" */
export function presentModule(world: Pick<World, 'store'>, module: ModuleRecord) {
  const { id, name, course, metadata, created_at } = module
  const position = world.store.modules.in('siblings', course).rank(module)
  return { id, object: 'module', name, position, course, metadata, created_at }
}

/** wire: §4 "module" */
export const moduleSchema = resource('module', {
  name: z.string(),
  position: z.int().min(0),
  course: z.string(),
  metadata: freeForm,
}).meta({ id: 'Module' })
