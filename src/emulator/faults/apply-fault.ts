import { STATUS_CODES } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { lowerCaseNames } from '../../foundation/http/header-fields.js'
import { Refusal, refusals } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { LONGEST_REAL } from '../../foundation/schema/duration.js'
import type { Response } from '../serving/response.js'
import type { InjectedRefusal, RequestContext, Surface } from '../serving/surface.js'
import type { Notes } from '../world/exchange.js'
import type { World } from '../world/world.js'
import { alteredBody } from './altered-body.js'
import { type HttpEffect, TOKEN_REQUEST } from './effects.js'
import type { FaultRecord } from './fault-record.js'
import { fireFault } from './faults.js'

/** What the journal says of a response that a fault has made. control-api: "Faults" */
export const injected = (fault: string): Notes => ({ reason: `Injected fault ${fault}`, fault })

/** The `aroundHandler` of surfaces whose requests may meet injected faults: `/v0` and OAuth. control-api: "Faults" */
export function underFaults(context: RequestContext, handler: () => Promise<Response>): Promise<Response> {
  const fault = faultFor(context.world, context.surface, context.request)
  return fault ? responseUnder(fault, context, handler) : handler()
}

function faultFor(world: World, surface: Surface, request: Request): FaultRecord | undefined {
  if ((surface.name !== 'api' && surface.name !== 'oauth') || world.store.faults.all.size === 0) return undefined
  const { method, path } = request
  const isToken = method === TOKEN_REQUEST.method && path === TOKEN_REQUEST.path
  const form = isToken ? new URLSearchParams(request.body.toString()) : undefined
  const { app, organization } = surface.identify?.(world, request) ?? {}
  const grant_type = form?.get('grant_type') ?? undefined
  return fireFault(world, { surface: surface.name, method, path, app, organization, grant_type })
}

/**
 * The response to a request that meets a fault. `phase: "before"`: `work` is not done, unless the effect only makes it
 * wait. `phase: "after"`: it is done, and its response is replaced or lost. control-api: "Faults"
 * @param work the request's real handling.
 */
async function responseUnder(
  fault: FaultRecord,
  context: RequestContext,
  work: () => Promise<Response>,
): Promise<Response> {
  const { world, request } = context
  const done = fault.phase === 'after' ? await work() : undefined
  const marked = (response: Response): Response => ({
    ...response,
    // An id_token's own fault is what the response shows, so it is the one that is named.
    notes: { ...injected(fault.id), ...response.notes },
  })
  if (typeof fault.effect === 'string') {
    return marked(refuseWith(refusalFor(fault.effect as InjectedRefusal, context), context))
  }
  const { delay = 0, jitter = 0, hold, connection, merge, omit, ...replacing } = fault.effect as HttpEffect
  const time = Math.min(delay + (jitter > 0 ? world.random.fraction() * jitter : 0), LONGEST_REAL)
  if (time > 0) await wait(time, undefined, { signal: request.signal }).catch(() => undefined)
  if (hold !== undefined) await world.holds.wait(fault.id, hold, request.signal)

  // What breaks off in the middle of a body has one, and before the work there is none.
  if (connection === 'truncate' && !done && merge === undefined && omit === undefined)
    replacing.body ??= 'malformed_json'
  const replaces = replacing.status !== undefined || replacing.body !== undefined
  if (!replaces && connection !== 'reset' && connection !== 'hang' && connection !== 'empty') {
    const response = done ?? (await work())
    return marked({
      ...response,
      body: alteredBody(response.body, { merge, omit }),
      headers: { ...response.headers, ...lowerCaseNames(replacing.headers) },
      broken: connection,
    })
  }
  return marked({ ...replacement(replacing, done, context), broken: connection })
}

function replacement(
  { status, headers, body }: Pick<HttpEffect, 'status' | 'headers' | 'body'>,
  done: Response | undefined,
  context: RequestContext,
): Response {
  const effective = status ?? done?.status ?? 200
  const extra = lowerCaseNames(headers)
  if (body === 'malformed_json') {
    const type = { 'content-type': 'application/json; charset=utf-8' }
    return { status: effective, headers: { ...type, ...extra }, body: brokenOff(context.surface) }
  }
  if (body === 'html') {
    const title = `${effective} ${STATUS_CODES[effective] ?? ''}`.trim()
    const html = `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`
    return { status: effective, headers: { 'content-type': 'text/html; charset=utf-8', ...extra }, body: html }
  }
  if (body !== undefined) {
    const isText = typeof body === 'string'
    const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
    return {
      status: effective,
      headers: { 'content-type': type, ...extra },
      body: isText ? body : JSON.stringify(body),
    }
  }
  if (effective < 400) return { status: effective, headers: extra }
  const response = refuseWith(refusalFor(effective, context), context)
  return { ...response, headers: { ...response.headers, ...extra } }
}

/** What the platform says, so that an injected refusal cannot be told from a real one. wire: §2, §6 */
const refusalFor = (name: InjectedRefusal | number, context: RequestContext): Refusal =>
  context.surface.refusalFor?.(name, context) ??
  (typeof name === 'number' ? refusalOf(name) : new Refusal('unavailable'))

/** The refusal of a status that a surface has nothing of its own to say to. */
function refusalOf(status: number): Refusal {
  const known = Object.values(refusals).find((refusal) => refusal.status === status)
  return new Refusal('unavailable', { status, message: known?.message ?? STATUS_CODES[status] ?? 'Error' })
}

/** The beginning of what the surface sends when all is well. */
const brokenOff = ({ name }: Surface) =>
  name === 'oauth' ? '{"token_type":"Bearer",' : '{"error":null,"payload":{"data":['

function refuseWith(refusal: Refusal, { surface, request, world }: RequestContext): Response {
  const response = surface.refuse(refusal, request, world)
  return { ...response, headers: { ...response.headers, ...refusal.headers } }
}
