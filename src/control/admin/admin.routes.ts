import * as z from 'zod'
import type { Response } from '../../emulator/serving/response.js'
import type { Route } from '../../emulator/serving/surface.js'
import type { World } from '../../emulator/world/world.js'
import { jsonBody, parse, parseQuery } from '../../foundation/http/json-body.js'
import { invalid } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import type { Warning } from '../../foundation/schema/issue.js'
import type { Call } from './call.js'
import { callNames, callTable } from './call-table.js'

/** Cached: a repeated `import()` takes longer than most calls. */
let loading: Promise<typeof import('./calls.js')> | undefined

/** The routes of all control calls. Schemas and handlers are loaded with the first call: a start needs none of them. */
export const adminRoutes: Route[] = callNames.map((name) => {
  const { method, path, summary, source, status, open } = callTable[name]
  return {
    methods: [method],
    path,
    operation: { id: name, summary, source, status, open },
    async handler(world, request) {
      loading ??= import('./calls.js')
      const { calls } = await loading
      return handleCall(calls[name], world, request)
    },
  }
})

const nothing = z.strictObject({})

/** Reads the request by the schemas of the call, and responds with what its handler returns. @throws Refusal */
async function handleCall(call: Call, world: World, request: Request): Promise<Response> {
  const { status = 200, list, query = nothing, formats } = call
  const json = jsonBody(request)
  const found = call.find?.(world, request.params as never)
  const warnings: Warning[] = []
  const input = {
    params: request.params,
    found,
    query: parseQuery(query, request.query),
    body: readBody(call, world, json),
    get signal() {
      return request.signal
    },
    warn: (warning: Warning) => void warnings.push(warning),
  }
  // `chapter` has checked the handler against its schemas.
  const result = await call.handler(world, input as never)
  const { format } = input.query as { format?: string }
  const formatted = format === undefined ? undefined : formats?.[format]?.(world, result as never)
  return { status, body: formatted ?? (list ? { data: result } : (result as object)), notes: { warnings } }
}

/** Validates a body. One that a call does not take may hold no fields. control-api: rule 3. @throws Refusal */
function readBody({ body, bodyIn, uncheckedBody, bodyOptional }: Call, world: World, value: unknown): unknown {
  if (!body) return parse(nothing, value ?? {})
  if (value === undefined && !bodyOptional) {
    throw invalid([{ path: '', message: `${uncheckedBody ?? 'a JSON body'} is required` }])
  }
  return uncheckedBody !== undefined ? value : parse(bodyIn?.(world) ?? body, value === undefined ? {} : value)
}
