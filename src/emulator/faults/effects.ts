import * as z from 'zod'
import { headerValue } from '../../foundation/schema/header-names.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { duration, freeForm, notEmpty } from '../../foundation/schema/schema-words.js'
import { injectedRefusals } from '../serving/injected-refusal.js'
import { type IdTokenEffectName, idTokenEffects, type WebhookEffectName, webhookEffects } from './effect-names.js'
import { type HttpEffect, httpEffect } from './http-effect.js'

const namesIn = <N extends string>(table: Record<N, string>) => Object.keys(table) as N[]

const webhookEffect = z
  .strictObject({
    delay: duration.optional().describe("Delay on the emulator's clock"),
    body: z.string().optional().describe('Body to send instead of the event, with a valid signature'),
    signature: headerValue.optional().describe('Signature to send instead of the real one'),
  })
  .refine((effect) => Object.keys(effect).length > 0, 'must have at least one of delay, body and signature')
  .refine(
    ({ delay, body, signature }) => delay === undefined || (body === undefined && signature === undefined),
    'delay cannot be combined with another field',
  )

const idTokenEffect = z
  .strictObject({
    claims: freeForm
      .refine(...notEmpty)
      .optional()
      .describe('Claims to merge into the real ones'),
    omit: z.array(z.string().min(1)).min(1).optional().describe('Names of claims to omit'),
  })
  .refine((effect) => Object.keys(effect).length > 0, 'must have claims or omit')

export type WebhookEffect = WebhookEffectName | z.output<typeof webhookEffect>
export type IdTokenEffect = IdTokenEffectName | z.output<typeof idTokenEffect>
export type FaultEffect = keyof typeof injectedRefusals | HttpEffect | WebhookEffect | IdTokenEffect

/** The one request that has a `grant_type`, and the only one whose response has an id_token. spec: §4.8 */
export const TOKEN_REQUEST = { method: 'POST', path: '/oauth/token' } as const

const AUTHORIZE_REQUEST = { method: 'GET', path: '/oauth/authorize' } as const

/** The requests that the OAuth endpoints serve. spec: §4.8 */
export const oauthRequests = [
  AUTHORIZE_REQUEST,
  TOKEN_REQUEST,
  { method: 'GET', path: '/.well-known/openid-configuration' },
  { method: 'GET', path: '/.well-known/jwks.json' },
] as const

/** Effects about a grant or token. Of the OAuth endpoints, only the token endpoint receives one. */
const ofGrants: unknown[] = ['token_expired', 'token_revoked', 'insufficient_scope']

/** Returns true when an effect can change the response to a request to an OAuth endpoint. */
export function canChange(effect: unknown, { method, path }: { method: string; path: string }): boolean {
  // The authorization endpoint returns redirects and pages, which have no fields.
  if (isObject(effect)) {
    return path !== AUTHORIZE_REQUEST.path || Object.keys(effect).some((part) => part !== 'merge' && part !== 'omit')
  }
  return !ofGrants.includes(effect) || (method === TOKEN_REQUEST.method && path === TOKEN_REQUEST.path)
}

const onRequests = { names: namesIn(injectedRefusals), parts: httpEffect }

/** The effects of each surface: named ones, the parts of others, and the requests that its faults can match. */
export const effectsOf = {
  api: { ...onRequests, paths: ['/v0', '/v0/*'], methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  oauth: { ...onRequests, paths: ['/oauth/*', '/.well-known/*'], methods: ['GET', 'HEAD', 'POST'] },
  // The path of a webhook is the app's own.
  webhook: { names: namesIn(webhookEffects), parts: webhookEffect, paths: ['/*'], methods: ['POST'] },
  id_token: {
    names: namesIn(idTokenEffects),
    parts: idTokenEffect,
    paths: [TOKEN_REQUEST.path],
    methods: [TOKEN_REQUEST.method],
  },
} as const
