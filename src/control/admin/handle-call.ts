import type { Response } from '../../emulator/serving/response.js'
import type { Warning } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { jsonBody, parse } from '../../foundation/http/json-body.js'
import { invalid } from '../../foundation/http/refusal.js'
import { queryObject, type Request } from '../../foundation/http/request.js'
import type { CallSchemas } from './call.js'
import { schemas } from './call-schemas.js'
import type { CallInput } from './call-types.js'
import { type CallName, entryOf } from './calls.js'
import { handlers } from './handlers.js'
import { strict } from './schema-parts.js'

const nothing = strict({})

/** Answers a control call: reads what its schemas say, lets its handler work, puts the answer in its envelope. @throws Refusal */
export async function handleCall(name: CallName, world: World, request: Request): Promise<Response> {
  const { status = 200, list, open } = entryOf(name)
  const asked: CallSchemas = schemas[name]
  const warnings: Warning[] = []
  const input = {
    params: request.params,
    query: open ? undefined : parse(asked.query ?? nothing, queryObject(request.query)),
    // Read when the handler asks for it: what a path names is looked up first, as on the platform. wire: §2 "order of checks"
    get body() {
      return open ? undefined : readBody(name, asked, world, request)
    },
    signal: request.signal,
    warn: (warning: Warning) => void warnings.push(warning),
  }
  if (!asked.body) void input.body
  // The compiler has matched each handler with its schemas; which one it is here, it cannot see.
  const handler = handlers[name] as (world: World, input: Omit<CallInput<CallName>, 'query' | 'body'>) => unknown
  const answer = await handler(world, input)
  return { status, body: list ? { data: answer } : (answer as object), notes: { warnings } }
}

/** control-api: rule 3. What a call does not read is refused like any other unknown field. */
function readBody(name: CallName, { body, bodyIn, checksBody }: CallSchemas, world: World, request: Request): unknown {
  const value = jsonBody(request)
  if (!body) return parse(nothing, value ?? {})
  if (value === undefined && !entryOf(name).bodyOptional) {
    throw invalid([{ path: '', message: `${checksBody ?? 'a JSON body'} is needed` }])
  }
  return checksBody !== undefined ? value : parse(bodyIn?.(world) ?? body, value === undefined ? {} : value)
}
