import * as z from 'zod'
import { matchesPath } from '../../foundation/http/path-pattern.js'
import { duration, realDuration } from '../../foundation/schema/duration-schema.js'
import { headersSchema, headerValue } from '../../foundation/schema/header-names.js'
import type { Issue } from '../../foundation/schema/issue.js'
import { describeIssue, pathIssuesOf } from '../../foundation/schema/schema-issues.js'
import { freeForm } from '../../foundation/schema/schema-words.js'
import type { InjectedRefusal } from '../serving/surface.js'

/** Faults of `/v0` and OAuth requests that have a name: each surface knows what it refuses with. control-api: "Faults" */
export const refusalNames = [
  'rate_limited',
  'token_expired',
  'token_revoked',
  'insufficient_scope',
  'unavailable',
] as const satisfies InjectedRefusal[]

export const webhookEffectNames = [
  'drop',
  'duplicate',
  'reorder',
  'lose_ack',
  'bad_signature',
  'short_signature',
  'no_signature',
  'stale_signature',
  'altered_body',
  'reserialised',
  'replay',
  'truncate',
] as const

export const idTokenEffectNames = [
  'bad_signature',
  'unknown_kid',
  'wrong_iss',
  'no_iss',
  'wrong_aud',
  'second_aud',
  'wrong_azp',
  'expired',
  'no_exp',
  'not_yet_valid',
  'future_iat',
  'no_iat',
  'missing_sub',
  'alg_none',
  'hs256',
  'hs256_kid',
  'no_kid',
  'wrong_nonce',
  'no_nonce',
] as const

/** `payload.data.*.type` */
const bodyPath = z
  .string()
  .max(1000, { abort: true, error: 'must have at most 1000 characters' })
  .regex(/^[^.]+(\.[^.]+)*$/, 'must be a dotted path such as payload.name')

const isEmpty = (effect: object) => Object.keys(effect).length === 0

/** What a fault does to a `/v0` or OAuth request. Its parts combine: a delay, then a response or a broken connection. */
const httpEffect = z
  .strictObject({
    status: z.int().min(200).max(599).optional(),
    headers: headersSchema.optional(),
    /** `malformed_json` and `html` stand for such bodies; anything else is sent as it is. */
    body: z.unknown().optional(),
    delay: realDuration.optional(),
    jitter: realDuration.optional(),
    connection: z.enum(['reset', 'hang', 'truncate', 'empty']).optional(),
    hold: z.int().min(1).max(1000).optional(),
    merge: freeForm.optional().describe("Merged over the real response's body, object by object"),
    omit: z
      .array(bodyPath)
      .min(1)
      .optional()
      .describe("Left out of the real response's body: dotted paths, `*` for every item"),
  })
  .refine((effect) => !isEmpty(effect), 'must say what happens: status, body, delay, connection, hold, merge or omit')
  .refine(({ delay, jitter }) => jitter === undefined || delay !== undefined, 'jitter goes with delay')
  .refine(
    ({ merge, omit, status, body }) =>
      (merge === undefined && omit === undefined) || (status === undefined && body === undefined),
    'merge and omit change the real response, so they do not go with status or body',
  )

/** What a fault does to a webhook, beside the effects that have a name. */
const webhookEffect = z
  .strictObject({
    delay: duration.optional().describe("Sent this much later, on the emulator's clock"),
    body: z.string().optional().describe('Sent instead of the event, and signed as it is'),
    signature: headerValue.optional().describe('Sent instead of the real signature'),
  })
  .refine((effect) => !isEmpty(effect), 'must say what happens: delay, body or signature')
  .refine(
    ({ delay, body, signature }) => delay === undefined || (body === undefined && signature === undefined),
    'delay goes alone',
  )

/** What a fault does to an id_token, beside the effects that have a name. */
const idTokenEffect = z
  .strictObject({
    claims: freeForm.optional().describe('Merged over the real claims'),
    omit: z.array(z.string().min(1)).min(1).optional().describe('Names of claims that are left out'),
  })
  .refine((effect) => !isEmpty(effect), 'must say what happens: claims or omit')

export type HttpEffect = z.output<typeof httpEffect>
export type WebhookEffectName = (typeof webhookEffectNames)[number]
export type WebhookEffect = WebhookEffectName | z.output<typeof webhookEffect>
export type IdTokenEffectName = (typeof idTokenEffectNames)[number]
export type IdTokenEffect = IdTokenEffectName | z.output<typeof idTokenEffect>

/** The effects of each surface. */
export const effectsOf = {
  api: { names: refusalNames, parts: httpEffect },
  oauth: { names: refusalNames, parts: httpEffect },
  webhook: { names: webhookEffectNames, parts: webhookEffect },
  id_token: { names: idTokenEffectNames, parts: idTokenEffect },
} as const

type FaultSurface = keyof typeof effectsOf

export const faultMatch = z.strictObject({
  surface: z.enum(Object.keys(effectsOf) as [FaultSurface]).optional(),
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .optional(),
  path: z.string().optional(),
  app: z.string().optional(),
  organization: z.string().optional(),
  event: z.string().optional(),
  grant_type: z.string().optional(),
})

export type FaultMatch = z.output<typeof faultMatch>

/** The one request that has a `grant_type`, and the only one that is answered with an id_token. spec: §4.8 */
export const TOKEN_REQUEST = { method: 'POST', path: '/oauth/token' } as const

/** Where the paths of each surface's requests begin; those of webhooks are the app's own. */
const pathsOf: Record<FaultSurface, string[]> = {
  api: ['/v0'],
  oauth: ['/oauth/', '/.well-known/'],
  webhook: ['/'],
  id_token: [TOKEN_REQUEST.path],
}

/** The methods of each surface's requests. */
const methodsOf: Record<FaultSurface, string[]> = {
  api: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  oauth: ['GET', 'HEAD', 'POST'],
  webhook: ['POST'],
  id_token: [TOKEN_REQUEST.method],
}

/** Why a fault with these matchers could never fire. control-api: preamble */
function issuesOfMatch(match: FaultMatch): Issue[] {
  const { surface, path, method, event, grant_type } = match
  const surfaces: FaultSurface[] = surface ? [surface] : ['api', 'oauth']
  const issues: Issue[] = []
  if (event !== undefined && surface !== 'webhook') {
    issues.push({ path: 'event', message: 'goes with the surface webhook: no other request has an event' })
  }
  if (grant_type !== undefined) {
    if (surfaces.some((each) => each === 'oauth' || each === 'id_token')) return [...issues, ...issuesOfGrant(match)]
    issues.push({ path: 'grant_type', message: 'goes with the surfaces oauth and id_token' })
  }
  if (path !== undefined && !surfaces.some((each) => pathsOf[each].some((start) => canBegin(path, start)))) {
    const starts = surfaces.flatMap((each) => pathsOf[each]).join(' or ')
    issues.push({ path: 'path', message: `meets no request of ${surfaces.join(' or ')}: those begin with ${starts}` })
  }
  if (method !== undefined && !surfaces.some((each) => methodsOf[each].includes(method))) {
    const methods = [...new Set(surfaces.flatMap((each) => methodsOf[each]))].join(', ')
    issues.push({ path: 'method', message: `meets no request of ${surfaces.join(' or ')}: those are ${methods}` })
  }
  return issues
}

/** The same for a fault that names a `grant_type`. */
function issuesOfGrant({ surface, path, method, grant_type }: FaultMatch): Issue[] {
  const why = `only ${TOKEN_REQUEST.method} ${TOKEN_REQUEST.path} has a grant_type`
  const issues: Issue[] = []
  if (surface === 'id_token' && grant_type !== 'authorization_code') {
    issues.push({ path: 'grant_type', message: 'must be authorization_code: no other grant returns an id_token' })
  }
  if (path !== undefined && !matchesPath(path, TOKEN_REQUEST.path)) {
    issues.push({ path: 'path', message: `does not match ${TOKEN_REQUEST.path}: ${why}` })
  }
  if (method !== undefined && method !== TOKEN_REQUEST.method) {
    issues.push({ path: 'method', message: `must be ${TOKEN_REQUEST.method}: ${why}` })
  }
  return issues
}

/** Whether some path that begins with `start` matches the pattern. */
function canBegin(pattern: string, start: string): boolean {
  const star = pattern.indexOf('*')
  const fixed = star < 0 ? pattern : pattern.slice(0, star)
  return fixed.startsWith(start) || (star >= 0 && start.startsWith(fixed))
}

/** The body of `POST /_admin/faults`. control-api: "Faults" */
export const faultRequest = z
  .strictObject({
    match: faultMatch.default({}).describe('Which requests it meets; whatever is left out is any'),
    effect: z.unknown().describe('A name, or an object of what happens'),
    phase: z.enum(['before', 'after']).default('before').describe('Before the work, or after it'),
    times: z.int().min(1).optional().describe('How often it fires; always when left out'),
    after: z.int().min(0).default(0).describe('How many matching requests pass first'),
    probability: z.number().min(0).max(1).default(1),
    expires_in: duration
      .refine((ms) => ms > 0, 'must be more than 0: the fault would end before it could fire')
      .optional()
      .describe("For how long, on the emulator's clock"),
  })
  .transform((fault, context) => {
    const { surface = 'api' } = fault.match
    const { names, parts } = effectsOf[surface]
    const known: readonly string[] = names
    const add = (path: (string | number)[], message: string) =>
      context.issues.push({ code: 'custom', input: fault.effect, path, message })
    for (const { path, message } of issuesOfMatch(fault.match)) add(['match', path], message)
    if (typeof fault.effect === 'string' && !known.includes(fault.effect)) {
      const others = (Object.keys(effectsOf) as FaultSurface[]).filter((other) => isEffectOf(other, fault.effect))
      if (others.length > 0) {
        add(
          ['effect'],
          `"${fault.effect}" is an effect of the surface ${others.join(' or ')}: set match.surface to ${others.join(' or ')}`,
        )
        return z.NEVER
      }
    }
    const isParts = typeof fault.effect === 'object' && fault.effect !== null && !Array.isArray(fault.effect)
    const fields = Object.keys(parts.shape).join(', ')
    const name = z.enum(names, `must be one of ${names.join(', ')}, or an object of ${fields}`)
    const result = (isParts ? parts : name).safeParse(fault.effect, { error: describeIssue })
    for (const { path, message } of result.error ? pathIssuesOf(result.error) : []) add(['effect', ...path], message)
    return { ...fault, effect: result.data }
  })

const isEffectOf = (surface: FaultSurface, effect: unknown) =>
  (effectsOf[surface].names as readonly unknown[]).includes(effect)
