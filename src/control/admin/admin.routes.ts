import type { Route } from '../../emulator/serving/route.js'
import { callNames, entryOf } from './calls.js'

/** Loaded once: to find a module again takes longer than many a call. */
let loading: Promise<typeof import('./handle-call.js')> | undefined

/** The routes of all control calls. Schemas and handlers are loaded with the first call: a start needs none of them. */
export const adminRoutes: Route[] = callNames.map((name) => {
  const { method, path, summary, source, status, open } = entryOf(name)
  return {
    methods: [method],
    path,
    operation: { id: name, summary, source, ...(status && { status }), ...(open && { open }) },
    async handler(world, request) {
      loading ??= import('./handle-call.js')
      const { handleCall } = await loading
      return handleCall(name, world, request)
    },
  }
})
