import { STATUS_CODES } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { bearerChallenge, invalidTokenChallenge } from '../authentication/challenges.js'
import { LONGEST_REAL } from '../duration.js'
import { clientRefusal, namedGrantRefusal } from '../oauth/oauth-error.js'
import { Refusal, refusals } from '../refusal.js'
import type { Notes, Reply, Request, Route, Surface } from '../request.js'
import type { FaultRecord } from '../store/records.js'
import type { World } from '../world.js'
import { type HttpEffect, namedEffects } from './effects.js'
import { fireFault } from './faults.js'

/** Requests a minute that a refusal speaks of where the setting says none. */
const ASSUMED_LIMIT = 60

/** A request that a fault befalls, and where. */
interface Scene {
  world: World
  surface: Surface
  request: Request
  route: Route | undefined
}

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
 * @param route what the request's path led to, if anything.
 * @param work the request's real handling.
 */
export async function replyUnderFault(
  world: World,
  fault: FaultRecord,
  surface: Surface,
  request: Request,
  route: Route | undefined,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const scene = { world, surface, request, route }
  const done = fault.phase === 'after' ? await work() : undefined
  const marked = (reply: Reply): Reply => ({
    ...reply,
    notes: { ...injected(fault.id), ...reply.notes, fault: fault.id },
  })
  if (typeof fault.effect === 'string') {
    return marked(refuseWith(refusalNamed(fault.effect as keyof typeof namedEffects, scene), scene))
  }
  const { delay = 0, jitter = 0, hold, connection, ...answer } = fault.effect as HttpEffect
  const time = Math.min(delay + (jitter > 0 ? world.random.fraction() * jitter : 0), LONGEST_REAL)
  if (time > 0) await wait(time, undefined, { signal: request.signal }).catch(() => undefined)
  if (hold !== undefined) await world.holds.wait(fault.id, hold, request.signal)

  const replaces = answer.status !== undefined || answer.body !== undefined
  if (!replaces && connection !== 'reset' && connection !== 'hang' && connection !== 'empty') {
    const reply = done ?? (await work())
    return marked({ ...reply, headers: { ...reply.headers, ...lowerCase(answer.headers) }, broken: connection })
  }
  return marked({ ...replacement(answer, done, scene), broken: connection })
}

/** What the platform would refuse with: the token endpoint judges grants, where `/v0` judges bearer tokens. */
function refusalNamed(name: keyof typeof namedEffects, { world, surface, request, route }: Scene): Refusal {
  if (surface.name === 'oauth') {
    const ofGrant = namedGrantRefusal(name, new URLSearchParams(request.body.toString()).get('grant_type'))
    if (ofGrant) return ofGrant
  }
  const { refusal, parts } = namedEffects[name]
  const limit = surface.name === 'api' ? (world.settings.rate_limit ?? ASSUMED_LIMIT) : undefined
  return new Refusal(refusal, parts({ scope: route?.operation.scope, limit }))
}

function replacement(
  { status, headers, body }: Pick<HttpEffect, 'status' | 'headers' | 'body'>,
  done: Reply | undefined,
  scene: Scene,
): Reply {
  const effective = status ?? done?.status ?? 200
  const extra = lowerCase(headers)
  if (body === 'malformed_json') {
    const type = { 'content-type': 'application/json; charset=utf-8' }
    return { status: effective, headers: { ...type, ...extra }, body: brokenOff(scene.surface) }
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
  const reply = refuseWith(refusalOf(effective, scene), scene)
  return { ...reply, headers: { ...reply.headers, ...extra } }
}

/** What the platform says with a status, so that an injected answer cannot be told from a real one. wire: §2 */
function refusalOf(status: number, scene: Scene): Refusal {
  if (scene.surface.name === 'api') {
    if (status === 401) {
      const headers = scene.request.headers.authorization ? invalidTokenChallenge('unknown') : bearerChallenge()
      return new Refusal('unauthorized', { headers })
    }
    if (status === 403) return refusalNamed('insufficient_scope', scene)
  }
  if (status === 401 && scene.request.path === '/oauth/token') return clientRefusal()
  if (status === 429) return refusalNamed('rate_limited', scene)
  const known = Object.values(refusals).find((refusal) => refusal.status === status)
  return new Refusal('unavailable', { status, message: known?.message ?? STATUS_CODES[status] ?? 'Error' })
}

/** The beginning of what the surface answers when all is well. */
const brokenOff = ({ name }: Surface) =>
  name === 'oauth' ? '{"token_type":"Bearer",' : '{"error":null,"payload":{"data":['

function refuseWith(refusal: Refusal, { surface, request, world }: Scene): Reply {
  const reply = surface.refuse(refusal, request, world)
  return { ...reply, headers: { ...reply.headers, ...refusal.headers } }
}

const lowerCase = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
