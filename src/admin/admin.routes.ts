import type { Route } from '../http/route.js'
import { callNames, entryOf } from './calls.js'

/** The routes of all control calls. Schemas and handlers are loaded with the first call: a start needs none of them. */
export const adminRoutes: Route[] = callNames.map((name) => {
  const { method, path, summary, source, status, open } = entryOf(name)
  return {
    methods: [method],
    path,
    operation: { id: name, summary, source, ...(status && { status }), ...(open && { open }) },
    async handler(world, request) {
      const { handleCall } = await import('./handle-call.js')
      return handleCall(name, world, request)
    },
  }
})
