import * as z from 'zod'
import { rateLimitHeaders } from '../api/rate-limit.js'
import { insufficientScopeChallenge, invalidTokenChallenge } from '../authentication/challenges.js'
import { duration, realDuration } from '../duration.js'
import { headersSchema } from '../headers.js'
import type { RefusalName, RefusalParts } from '../refusal.js'
import { explain, issuesOf } from '../schema-faults.js'

/** What a refusal of the platform depends on. */
interface Circumstances {
  /** What the route asks of an install token, if it is one of `/v0` that does. */
  scope: string | null | undefined
  /** Requests a minute, where they are limited: on `/v0`. */
  limit: number | undefined
}

type NamedEffect = { refusal: RefusalName; parts(circumstances: Circumstances): RefusalParts }

/** Faults of `/v0` and OAuth requests that have a name: what the platform would refuse with. control-api: "Faults" */
export const namedEffects = {
  rate_limited: {
    refusal: 'rate_limited',
    parts: ({ limit }) => ({
      headers: { 'retry-after': '60', ...(limit !== undefined && rateLimitHeaders(limit, 0)) },
    }),
  },
  token_expired: { refusal: 'unauthorized', parts: () => ({ headers: invalidTokenChallenge('expired') }) },
  token_revoked: { refusal: 'unauthorized', parts: () => ({ headers: invalidTokenChallenge('revoked') }) },
  insufficient_scope: {
    refusal: 'insufficient_scope',
    parts: ({ scope }) => ({ headers: insufficientScopeChallenge(scope) }),
  },
  unavailable: { refusal: 'unavailable', parts: () => ({}) },
} as const satisfies Record<string, NamedEffect>

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
  'wrong_nonce',
] as const

const names = Object.keys(namedEffects) as [keyof typeof namedEffects]

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
  })
  .refine((effect) => Object.keys(effect).length > 0, 'must say what happens: status, body, delay, connection or hold')
  .refine(({ delay, jitter }) => jitter === undefined || delay !== undefined, 'jitter goes with delay')

export type HttpEffect = z.output<typeof httpEffect>
export type WebhookEffect = (typeof webhookEffects)[number] | { delay: number }
export type IdTokenEffect = (typeof idTokenEffects)[number] | { claims: Record<string, unknown> }

/** The effects of each surface; without a surface, those of `api` and `oauth`. */
const effectSchemas = {
  http: {
    name: z.enum(
      names,
      `must be one of ${names.join(', ')}, or an object of status, headers, body, delay, jitter, connection, hold`,
    ),
    parts: httpEffect,
  },
  webhook: {
    name: z.enum(webhookEffects, `must be one of ${webhookEffects.join(', ')}, or { delay }`),
    parts: z.strictObject({ delay: duration }),
  },
  id_token: {
    name: z.enum(idTokenEffects, `must be one of ${idTokenEffects.join(', ')}, or { claims }`),
    parts: z.strictObject({ claims: z.record(z.string(), z.unknown()) }),
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
    const result = (isParts ? parts : name).safeParse(fault.effect, { error: explain })
    for (const { path, message } of result.error ? issuesOf(result.error) : []) {
      context.issues.push({ code: 'custom', input: fault.effect, path: ['effect', ...path], message })
    }
    return { ...fault, effect: result.data }
  })
