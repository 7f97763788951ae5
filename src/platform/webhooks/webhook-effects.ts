import type { WebhookEffectName } from '../../emulator/faults/effect-names.js'
import type { WebhookEffect } from '../../emulator/faults/effects.js'
import { sign } from './sign.js'

/** A webhook before it is sent. `signature` undefined: the header is omitted. */
export interface WebhookMessage {
  body: string
  signature: string | undefined
  idempotencyKey: string
}

type Alteration = (sending: WebhookMessage, signingSecret: string) => Partial<WebhookMessage>

/** The behavior of an effect on a delivery: how it is sent, or in which form. */
export type Behavior = 'drop' | 'unreachable' | 'duplicate' | 'duplicate_at_once' | 'reorder' | 'lose_ack' | Alteration

const otherDigit = (digit: string) => (15 - Number.parseInt(digit, 16)).toString(16)

/** Every effect that has a name. control-api: "effect on webhook" */
const behaviors: Record<WebhookEffectName, Behavior> = {
  drop: 'drop',
  unreachable: 'unreachable',
  duplicate: 'duplicate',
  duplicate_at_once: 'duplicate_at_once',
  reorder: 'reorder',
  lose_ack: 'lose_ack',
  bad_signature: ({ signature }) => ({ signature: signature?.replace(/./g, otherDigit) }),
  short_signature: ({ signature }) => ({ signature: signature?.slice(0, 32) }),
  no_signature: () => ({ signature: undefined }),
  stale_signature: ({ body }, secret) => ({ signature: sign(body, `${secret} of another time`) }),
  altered_body: ({ body }) => ({ body: body.replace(/}$/, ',"altered":true}') }),
  reserialised: ({ body }) => ({ body: JSON.stringify(JSON.parse(body), null, 1) }),
  replay: ({ idempotencyKey }) => ({ idempotencyKey: `evt_${otherKey(idempotencyKey)}` }),
  truncate: ({ body }) => ({ body: body.slice(0, Math.floor(body.length / 2)) }),
}

/** Returns a key of the same form, the same one for the same event. */
const otherKey = (key: string) => key.replace(/^evt_/, '').split('').reverse().join('')

/** Undefined when nothing is wrong, or the effect only delays. */
export function behaviorOf(effect: WebhookEffect | undefined): Behavior | undefined {
  if (effect === undefined) return undefined
  if (typeof effect === 'string') return behaviors[effect]
  const { delay: _, body, signature, ...others } = effect
  others satisfies Record<string, never>
  if (body === undefined && signature === undefined) return undefined
  return (_, secret) => ({
    ...(body !== undefined && { body, signature: sign(body, secret) }),
    ...(signature !== undefined && { signature }),
  })
}

/** Returns the milliseconds by which an effect postpones a delivery; undefined when it does not. */
export const delayOf = (effect: WebhookEffect | undefined): number | undefined =>
  typeof effect === 'object' ? effect.delay : undefined

/** Returns the signed event, as the effect leaves it. */
export function applyWebhookEffect(
  behavior: Behavior | undefined,
  { body, idempotencyKey }: Pick<WebhookMessage, 'body' | 'idempotencyKey'>,
  signingSecret: string,
): WebhookMessage {
  const sending = { body, signature: sign(body, signingSecret), idempotencyKey }
  return typeof behavior === 'function' ? { ...sending, ...behavior(sending, signingSecret) } : sending
}
