import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { resource } from '../../foundation/http/resource-schemas.js'
import { freeForm } from '../../foundation/schema/schema-words.js'
import type { Caller } from '../authentication/authenticate.js'
import type { ModuleRecord } from './module-record.js'

/** The module of that id in the caller's organization. @throws Refusal 404, another organization's alike. wire: §2 */
export function findModule(world: Pick<World, 'store'>, caller: Caller, id: string): ModuleRecord {
  const module = world.store.modules.get(id)
  if (module?.organization === caller.organization) return module
  const reason = module ? `The module ${id} belongs to another organization` : `There is no module ${id}`
  throw new Refusal('not_found', { reason })
}

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
