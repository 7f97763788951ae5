import { STATUS_CODES } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { namedGrantRefusals, OAuthRefusal } from '../oauth/oauth-error.js'
import { Refusal } from '../refusal.js'
import type { Notes, Reply, Request, Surface } from '../request.js'
import type { FaultRecord } from '../store/records.js'
import type { World } from '../world.js'
import { type HttpEffect, namedEffects } from './effects.js'
import { fireFault } from './faults.js'

/** What the journal says of an answer that a fault has made. control-api: "Faults" */
export const injected = (fault: string): Notes => ({ reason: `Injected fault ${fault}`, fault })

/** The fault that a request to `/v0` or OAuth runs into, if any. */
export function faultFor(world: World, surface: Surface, request: Request): FaultRecord | undefined {
  if ((surface.name !== 'api' && surface.name !== 'oauth') || world.store.faults.all.size === 0) return undefined
  const { method, path } = request
  const form = surface.name === 'oauth' && method === 'POST' ? new URLSearchParams(request.body.toString()) : undefined
  const { app, organization } = surface.identify?.(world, request) ?? {}
  const grant_type = form?.get('grant_type') ?? undefined
  return fireFault(world, { surface: surface.name, method, path, app, organization, grant_type })
}

/**
 * The reply of a request that a fault befalls. `phase: "before"`: `work` is not done, unless the effect only makes it
 * wait. `phase: "after"`: it is done, and its answer is replaced or lost. control-api: "Faults"
 * @param work the request's real handling.
 */
export async function replyUnderFault(
  world: World,
  fault: FaultRecord,
  surface: Surface,
  request: Request,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const done = fault.phase === 'after' ? await work() : undefined
  const marked = (reply: Reply): Reply => ({
    ...reply,
    notes: { ...injected(fault.id), ...reply.notes, fault: fault.id },
  })
  if (typeof fault.effect === 'string') {
    return marked(refuseWith(refusalNamed(fault.effect as keyof typeof namedEffects, surface), surface, request, world))
  }
  const { delay = 0, jitter = 0, hold, connection, ...answer } = fault.effect as HttpEffect
  const time = delay + (jitter > 0 ? world.random.fraction() * jitter : 0)
  if (time > 0) await wait(time, undefined, { signal: request.signal }).catch(() => undefined)
  if (hold !== undefined) await world.holds.wait(fault.id, hold, request.signal)

  const replaces = answer.status !== undefined || answer.body !== undefined
  if (!replaces && connection !== 'reset' && connection !== 'hang' && connection !== 'empty') {
    const reply = done ?? (await work())
    return marked({ ...reply, headers: { ...reply.headers, ...lowerCase(answer.headers) }, broken: connection })
  }
  return marked({ ...replacement(answer, done, surface, request, world), broken: connection })
}

/** What the platform would refuse with: the token endpoint judges grants, where `/v0` judges bearer tokens. */
function refusalNamed(name: keyof typeof namedEffects, surface: Surface): Refusal {
  const ofGrant = surface.name === 'oauth' ? namedGrantRefusals[name] : undefined
  if (ofGrant) return new OAuthRefusal(...ofGrant)
  const { refusal, parts } = namedEffects[name]
  return new Refusal(refusal, parts)
}

function replacement(
  { status, headers, body }: Pick<HttpEffect, 'status' | 'headers' | 'body'>,
  done: Reply | undefined,
  surface: Surface,
  request: Request,
  world: World,
): Reply {
  const effective = status ?? done?.status ?? 200
  const extra = lowerCase(headers)
  if (body === 'malformed_json') {
    const type = { 'content-type': 'application/json; charset=utf-8' }
    return { status: effective, headers: { ...type, ...extra }, body: '{"error":null,"payload":{"data":[' }
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
  const refusal = new Refusal('unavailable', { status: effective, message: messageOf(effective) })
  const reply = refuseWith(refusal, surface, request, world)
  return { ...reply, headers: { ...reply.headers, ...extra } }
}

/** What the platform says with a status, so that an injected answer cannot be told from a real one. wire: §2 */
const messageOf = (status: number): string =>
  ({
    401: 'Unauthorized',
    403: 'Insufficient scope',
    404: 'Resource not found',
    429: 'Rate limit exceeded. Please try again later.',
    500: 'Internal server error',
  })[status] ??
  STATUS_CODES[status] ??
  'Error'

function refuseWith(refusal: Refusal, surface: Surface, request: Request, world: World): Reply {
  const reply = surface.refuse(refusal, request, world)
  return { ...reply, headers: { ...reply.headers, ...refusal.headers } }
}

const lowerCase = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
