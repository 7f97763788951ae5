import * as z from 'zod'
import { duration } from '../duration.js'
import { headersSchema } from '../headers.js'
import type { RefusalParts } from '../refusal.js'
import { explain, issuesOf } from '../schema-faults.js'

/** Faults of `/v0` and OAuth requests that have a name: what the platform would refuse with. control-api: "Faults" */
export const namedEffects = {
  rate_limited: { refusal: 'rate_limited', parts: { headers: { 'retry-after': '60' } } },
  token_expired: { refusal: 'unauthorized', parts: bearerError('The access token is expired') },
  token_revoked: { refusal: 'unauthorized', parts: bearerError('The access token is revoked') },
  insufficient_scope: {
    refusal: 'insufficient_scope',
    parts: { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
  },
  unavailable: { refusal: 'unavailable', parts: {} },
} as const satisfies Record<string, { refusal: string; parts: RefusalParts }>

function bearerError(description: string): RefusalParts {
  return { headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${description}"` } }
}

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
    delay: duration.optional(),
    jitter: duration.optional(),
    connection: z.enum(['reset', 'hang', 'truncate', 'empty']).optional(),
    hold: z.int().min(1).max(1000).optional(),
  })
  .refine((effect) => Object.keys(effect).length > 0, 'must say what happens: status, body, delay, connection or hold')
  .refine(({ delay, jitter }) => jitter === undefined || delay !== undefined, 'jitter goes with delay')

export type HttpEffect = z.output<typeof httpEffect>
export type WebhookEffect = (typeof webhookEffects)[number] | { delay: number }
export type IdTokenEffect = (typeof idTokenEffects)[number] | { claims: Record<string, unknown> }

/** The effects of each surface; without a surface, those of `api` and `oauth`. */
export const effectSchemas = {
  http: z.union([z.enum(names), httpEffect], {
    error: `must be one of ${names.join(', ')}, or an object of status, headers, body, delay, jitter, connection, hold`,
  }),
  webhook: z.union([z.enum(webhookEffects), z.strictObject({ delay: duration })], {
    error: `must be one of ${webhookEffects.join(', ')}, or { delay }`,
  }),
  id_token: z.union([z.enum(idTokenEffects), z.strictObject({ claims: z.record(z.string(), z.unknown()) })], {
    error: `must be one of ${idTokenEffects.join(', ')}, or { claims }`,
  }),
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
    const schema = effectSchemas[surface === 'webhook' || surface === 'id_token' ? surface : 'http']
    const result = schema.safeParse(fault.effect, { error: explain })
    for (const { path, message } of result.error ? issuesOf(result.error) : []) {
      context.issues.push({ code: 'custom', input: fault.effect, path: ['effect', ...path], message })
    }
    return { ...fault, effect: result.data }
  })
