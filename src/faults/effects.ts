import * as z from 'zod'
import type { InjectedRefusal } from '../http/surface.js'
import { duration, realDuration } from '../schema/duration.js'
import { headersSchema, headerValue } from '../schema/header-names.js'
import { describeIssue, pathIssuesOf } from '../schema/schema-issues.js'

/** Faults of `/v0` and OAuth requests that have a name: each surface knows what it refuses with. control-api: "Faults" */
const refusalNames = [
  'rate_limited',
  'token_expired',
  'token_revoked',
  'insufficient_scope',
  'unavailable',
] as const satisfies InjectedRefusal[]

export const webhookEffects = [
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

export const idTokenEffects = [
  'bad_signature',
  'unknown_kid',
  'wrong_iss',
  'wrong_aud',
  'expired',
  'not_yet_valid',
  'missing_sub',
  'alg_none',
  'hs256',
  'no_kid',
  'wrong_nonce',
] as const

/** What a fault does to a `/v0` or OAuth request. Its parts combine: a delay, then an answer or a broken connection. */
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
    /** Over the real response's body, object by object. */
    merge: z.record(z.string(), z.unknown()).optional(),
    /** Dotted paths of the real response's body; `*` is every item. */
    omit: z.array(z.string().min(1)).min(1).optional(),
  })
  .refine(
    (effect) => Object.keys(effect).length > 0,
    'must say what happens: status, body, merge, omit, delay, connection or hold',
  )
  .refine(({ delay, jitter }) => jitter === undefined || delay !== undefined, 'jitter goes with delay')
  .refine(
    ({ merge, omit, status, body }) => (merge ?? omit) === undefined || (status ?? body) === undefined,
    'merge and omit change the real response, which status and body replace: give either',
  )

/** What a fault does to a webhook: it comes later, or it is not the one that was to be sent. */
const webhookParts = z
  .strictObject({ delay: duration.optional(), body: z.string().optional(), signature: headerValue.optional() })
  .refine((effect) => Object.keys(effect).length > 0, 'must say what happens: delay, body or signature')
  .refine(
    ({ delay, body, signature }) => delay === undefined || (body ?? signature) === undefined,
    'delay stands alone',
  )

const idTokenParts = z
  .strictObject({ claims: z.record(z.string(), z.unknown()).optional(), omit: z.array(z.string().min(1)).optional() })
  .refine((effect) => Object.keys(effect).length > 0, 'must say what happens: claims or omit')

export type HttpEffect = z.output<typeof httpEffect>
export type WebhookEffect = (typeof webhookEffects)[number] | z.output<typeof webhookParts>
export type IdTokenEffect = (typeof idTokenEffects)[number] | z.output<typeof idTokenParts>

/** The effects of each surface; without a surface, those of `api` and `oauth`. */
const effectSchemas = {
  http: {
    name: z.enum(
      refusalNames,
      `must be one of ${refusalNames.join(', ')}, or an object of status, headers, body, merge, omit, delay, jitter, connection, hold`,
    ),
    parts: httpEffect,
  },
  webhook: {
    name: z.enum(webhookEffects, `must be one of ${webhookEffects.join(', ')}, or { delay }, { body }, { signature }`),
    parts: webhookParts,
  },
  id_token: {
    name: z.enum(idTokenEffects, `must be one of ${idTokenEffects.join(', ')}, or { claims }, { omit }`),
    parts: idTokenParts,
  },
}

const match = z.strictObject({
  surface: z.enum(['api', 'oauth', 'webhook', 'id_token']).optional(),
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

export type FaultMatch = z.output<typeof match>

/** The body of `POST /_admin/faults`. control-api: "Faults" */
export const faultRequest = z
  .strictObject({
    match: match.default({}),
    effect: z.unknown(),
    phase: z.enum(['before', 'after']).default('before'),
    times: z.int().min(1).optional(),
    after: z.int().min(0).default(0),
    probability: z.number().min(0).max(1).default(1),
    expires_in: duration.optional(),
  })
  .transform((fault, context) => {
    const { surface } = fault.match
    const { name, parts } = effectSchemas[surface === 'webhook' || surface === 'id_token' ? surface : 'http']
    const isParts = typeof fault.effect === 'object' && fault.effect !== null && !Array.isArray(fault.effect)
    const result = (isParts ? parts : name).safeParse(fault.effect, { error: describeIssue })
    for (const { path, message } of result.error ? pathIssuesOf(result.error) : []) {
      context.issues.push({ code: 'custom', input: fault.effect, path: ['effect', ...path], message })
    }
    return { ...fault, effect: result.data }
  })
