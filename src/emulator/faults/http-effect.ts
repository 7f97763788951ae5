import { STATUS_CODES } from 'node:http'
import * as z from 'zod'
import { lowerCaseNames } from '../../foundation/http/header-fields.js'
import { Refusal, refusals } from '../../foundation/http/refusal.js'
import { headersSchema } from '../../foundation/schema/header-names.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { freeForm, notEmpty, realDuration } from '../../foundation/schema/schema-words.js'
import { pauseOrAbort } from '../../foundation/time/real-timers.js'
import type { InjectedRefusal } from '../serving/injected-refusal.js'
import { brokenConnections, type Response } from '../serving/response.js'
import type { RequestContext } from '../serving/surface.js'

/** A part of an effect that delays the response. */
interface Waiting<V> {
  waits(value: V, context: RequestContext, fault: string): Promise<unknown>
}

/** A part of an effect that changes the response. */
interface Changing<V> {
  /** Returns true when the real response is not used, so that the work is not done for it. */
  replaces?(value: V): boolean
  changes(value: V, response: Response, context: RequestContext, effect: { body?: unknown }): Response
}

const part = <S extends z.ZodType>(schema: S, behavior: Waiting<z.output<S>> | Changing<z.output<S>>) => ({
  schema: schema.optional() as z.ZodOptional<S>,
  behavior: behavior as Partial<Waiting<never> & Changing<never>>,
})

const delay = (ms: number, { request }: RequestContext) =>
  ms > 0 ? pauseOrAbort(ms, request.signal) : Promise.resolve()

const withJson = (response: Response, change: (body: object) => object): Response =>
  isObject(response.body) ? { ...response, body: change(response.body) } : response

/** `payload.data.*.type` */
const bodyPath = z
  .string()
  .max(1000, { abort: true, error: 'must have at most 1000 characters' })
  .regex(/^[^.]+(\.[^.]+)*$/, 'must be a dotted path such as payload.name')

/** The parts of an effect on a `/v0` or OAuth request: first those that wait act, then the others. control-api: "Faults" */
const parts = {
  status: part(z.int().min(200).max(599), {
    replaces: () => true,
    changes: (status, response, context, { body }) =>
      status < 400 || body !== undefined ? { ...response, status } : injectedRefusalResponse(status, context),
  }),
  headers: part(headersSchema, {
    changes: (headers, response) => ({ ...response, headers: { ...response.headers, ...lowerCaseNames(headers) } }),
  }),
  /** `malformed_json` and `html` are names of such bodies; anything else is sent unchanged. */
  body: part(z.unknown(), {
    replaces: () => true,
    changes(given, response, context) {
      const [type, body] = contentOf(given, response.status, context)
      const contentType = { 'content-type': `${type}; charset=utf-8` }
      return { ...response, headers: { ...contentType, ...response.headers }, body }
    },
  }),
  delay: part(realDuration, { waits: delay }),
  jitter: part(realDuration, {
    waits: (jitter, context) => delay(jitter > 0 ? context.world.random.fraction() * jitter : 0, context),
  }),
  connection: part(z.enum(brokenConnections), {
    replaces: (connection) => connection !== 'truncate',
    // A redirect has no body: it would arrive whole.
    changes: (connection, response) => ({
      ...response,
      broken: connection === 'truncate' && !response.body ? 'empty' : connection,
    }),
  }),
  hold: part(z.int().min(1).max(1000), {
    waits: (size, { world, request }, fault) => world.holds.wait(fault, size, request.signal),
  }),
  merge: part(
    freeForm.refine(...notEmpty).describe("Fields to merge into the real response's body, object by object"),
    {
      changes: (fields, response) => withJson(response, (body) => merged(body, fields)),
    },
  ),
  omit: part(
    z.array(bodyPath).min(1).describe("Fields to omit from the real response's body: dotted paths, `*` for every item"),
    {
      changes: (paths, response) =>
        withJson(response, (body) => paths.reduce((left, path) => without(left, path.split('.')), body)),
    },
  ),
}

type Parts = typeof parts
const partNames = Object.keys(parts) as (keyof Parts)[]
const shape = Object.fromEntries(partNames.map((name) => [name, parts[name].schema])) as {
  [K in keyof Parts]: Parts[K]['schema']
}

/** An effect on a `/v0` or OAuth request. */
export const httpEffect = z
  .strictObject(shape)
  .refine(
    (effect) => Object.keys(effect).length > 0,
    `must have at least one of ${partNames.filter((name) => name !== 'jitter').join(', ')}`,
  )
  .refine(({ delay, jitter }) => jitter === undefined || delay !== undefined, 'jitter requires delay')
  .refine(
    ({ merge, omit, status, body }) =>
      (merge === undefined && omit === undefined) || (status === undefined && body === undefined),
    'merge and omit change the real response, so they cannot be combined with status or body',
  )
  .refine(
    ({ connection = 'truncate', delay: _, jitter: __, hold: ___, ...response }) =>
      connection === 'truncate' || Object.keys(response).length === 0,
    'connection leaves no response to change, so it cannot be combined with status, headers, body, merge or omit',
  )

export type HttpEffect = z.output<typeof httpEffect>

/**
 * Returns the response to a request under an effect.
 * @param fault its id.
 * @param done the real response, when the work has been done before the effect.
 * @param work does the work, unless the effect replaces its response.
 */
export async function applyHttpEffect(
  effect: HttpEffect,
  fault: string,
  context: RequestContext,
  done: Response | undefined,
  work: () => Promise<Response>,
): Promise<Response> {
  const given = { ...effect }
  const { connection, merge, omit } = effect
  // A truncated response needs a body, and before work that has an effect there is none.
  const isReal = done || isRead(context) || merge !== undefined || omit !== undefined
  if (connection === 'truncate' && !isReal) given.body ??= beginningOf(context) ? 'malformed_json' : 'html'
  const acting = partNames
    .filter((name) => given[name] !== undefined)
    .map((name) => ({ value: given[name] as never, ...parts[name].behavior }))

  for (const { value, waits } of acting) await waits?.(value, context, fault)
  const isReplaced = acting.some(({ value, replaces }) => replaces?.(value))
  let response: Response = isReplaced ? { status: done?.status ?? 200 } : (done ?? (await work()))
  for (const { value, changes } of acting) response = changes?.(value, response, context, given) ?? response
  return response
}

/** Returns true for a request whose work changes nothing; a GET of the authorization endpoint issues a code. */
export const isRead = ({ surface, request: { method, path } }: RequestContext) =>
  (surface.name === 'api' || path.startsWith('/.well-known/')) && (method === 'GET' || method === 'HEAD')

const oauthBeginnings: Record<string, string> = {
  '/oauth/token': '{"token_type":"Bearer",',
  '/.well-known/jwks.json': '{"keys":[{"kty":"RSA",',
  '/.well-known/openid-configuration': '{"issuer":"',
}

/** Returns the beginning of an endpoint's successful responses; undefined for pages. */
const beginningOf = ({ surface, request }: RequestContext): string | undefined =>
  surface.name === 'oauth' ? oauthBeginnings[request.path] : '{"error":null,"payload":{'

/** Returns the type and the text of a body that replaces the real one. */
function contentOf(given: unknown, status: number, context: RequestContext): [type: string, body: string] {
  switch (given) {
    case 'malformed_json':
      return ['application/json', beginningOf(context) ?? '{']
    case 'html': {
      const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
      const head = `<!doctype html>\n<html><head><title>${title}</title></head>`
      return ['text/html', `${head}<body><h1>${title}</h1></body></html>\n`]
    }
    default:
      return typeof given === 'string' ? ['text/plain', given] : ['application/json', JSON.stringify(given)]
  }
}

/** Returns the refusal that the platform has under a name or for a status, in its surface's form. wire: §2, §6 */
export function injectedRefusalResponse(name: InjectedRefusal | number, context: RequestContext): Response {
  const { surface, request, world } = context
  const refusal =
    surface.refusalFor?.(name, context) ?? (typeof name === 'number' ? refusalOf(name) : new Refusal('unavailable'))
  const response = surface.refuse(refusal, request, world)
  return { ...response, headers: { ...response.headers, ...refusal.headers } }
}

/** Returns the refusal of a status for which the surface has none of its own. */
function refusalOf(status: number): Refusal {
  const known = Object.values(refusals).find((refusal) => refusal.status === status)
  return new Refusal('unavailable', { status, message: known?.message ?? STATUS_CODES[status] ?? 'Error' })
}

/** Returns an object with another merged over it, object by object; any other value replaces what is there. */
function merged(target: unknown, source: Record<string, unknown>): Record<string, unknown> {
  const own = isObject(target) ? target : {}
  const entries = Object.entries(source).map(([name, value]) => [
    name,
    isObject(value) ? merged(own[name], value) : value,
  ])
  // Assigns nothing, since `__proto__` is a name like any other here.
  return Object.fromEntries([...Object.entries(own), ...entries])
}

/** Returns an object or list without what a path names, in which `*` is every field or item. */
function without(container: object, [name, ...rest]: string[]): object {
  const kept = Object.entries(container).flatMap(([key, value]) => {
    if (name !== '*' && name !== key) return [[key, value]]
    if (rest.length === 0) return []
    return [[key, typeof value === 'object' && value !== null ? without(value, rest) : value]]
  })
  return Array.isArray(container) ? kept.map(([, value]) => value) : Object.fromEntries(kept)
}
