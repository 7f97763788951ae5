import * as z from 'zod'
import { listPage, payload } from '../../emulator/serving/envelope.js'
import type { World } from '../../emulator/world/world.js'
import { listOf, pageQuery, resource } from '../../foundation/http/resource-schemas.js'
import { freeForm } from '../../foundation/schema/schema-words.js'
import { apiRoute, findOwn } from '../authentication/authenticate.js'
import type { ModuleRecord } from './module-record.js'

/** wire: §4 "module" */
const moduleSchema = resource('module', {
  name: z.string(),
  position: z.int().min(0),
  course: z.string(),
  metadata: freeForm,
}).meta({ id: 'Module' })

/** wire: §4 "module" */
function presentModule(world: Pick<World, 'store'>, module: ModuleRecord) {
  const { id, name, course, metadata, created_at } = module
  const position = world.store.modules.in('siblings', course).rank(module)
  return { id, object: 'module', name, position, course, metadata, created_at }
}

const reading = { source: 'wire: §3', scope: 'modules:read' } as const
const listQuery = pageQuery.extend({ course: z.string().optional().describe('Only the modules of this course') })

const operations = {
  list: { id: 'listModules', summary: 'List modules', ...reading, query: listQuery, response: listOf(moduleSchema) },
  retrieve: { id: 'retrieveModule', summary: 'Retrieve a module', ...reading, response: moduleSchema },
}

/** wire: §3 */
export const moduleRoutes = [
  apiRoute('GET', '/v0/modules', operations.list, (world, request, caller) => {
    const course = request.query.get('course')
    const { modules } = world.store
    return listPage(world, request, caller, {
      filter: { course },
      records: course === null ? modules.in('organization', caller.organization) : modules.in('course', course),
      present: (module) => presentModule(world, module),
      includes: (module) => module.organization === caller.organization,
    })
  }),
  apiRoute('GET', '/v0/modules/:id', operations.retrieve, (world, { params }, caller) =>
    payload(presentModule(world, findOwn(world, world.store.modules, 'module', caller, params.id))),
  ),
]
