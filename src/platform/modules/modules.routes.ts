import * as z from 'zod'
import { listPage, payload } from '../../emulator/serving/envelope.js'
import { route } from '../../emulator/serving/route.js'
import { listOf, pageQuery } from '../../foundation/http/resource-schemas.js'
import { authenticate } from '../authentication/authenticate.js'
import { findModule, moduleSchema, presentModule } from './modules.js'

/** wire: §3 */
export const moduleRoutes = [
  route(
    'GET',
    '/v0/modules',
    {
      id: 'listModules',
      summary: 'List modules',
      source: 'wire: §3',
      scope: 'modules:read',
      query: pageQuery.extend({ course: z.string().optional().describe('Only the modules of this course') }),
      answer: listOf(moduleSchema),
    },
    (world, request) => {
      const { organization } = authenticate(world, request, 'modules:read')
      const course = request.query.get('course')
      const { modules } = world.store
      const records = course === null ? modules.in('organization', organization) : modules.in('course', course)
      return listPage(
        world,
        request,
        { organization, filter: { course } },
        records,
        (module) => presentModule(world, module),
        (module) => module.organization === organization,
      )
    },
  ),
  route(
    'GET',
    '/v0/modules/:id',
    {
      id: 'retrieveModule',
      summary: 'Retrieve a module',
      source: 'wire: §3',
      scope: 'modules:read',
      answer: moduleSchema,
    },
    (world, request) => {
      const caller = authenticate(world, request, 'modules:read')
      return payload(presentModule(world, findModule(world, caller, request.params.id)))
    },
  ),
]
