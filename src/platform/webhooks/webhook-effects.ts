import type { WebhookEffectName } from '../../emulator/faults/effect-names.js'
import type { WebhookEffect } from '../../emulator/faults/effects.js'
import { sign } from './sign.js'

/** A webhook before it is sent. `signature` undefined: the header is omitted. */
export interface WebhookMessage {
  body: string
  signature: string | undefined
  idempotencyKey: string
}

/** The behaviour of an effect on a delivery: exactly one of these. */
type Behaviour =
  /** The delivery ends, and nothing is sent. */
  | { does: 'drop' }
  /** Nothing is sent, as when the app's port is closed. */
  | { does: 'unreachable' }
  /** It is sent, and then once more. */
  | { does: 'duplicate' }
  /** It is sent twice, the second time before the first has a response. */
  | { does: 'duplicate_at_once' }
  /** It is held until after the next one. */
  | { does: 'reorder' }
  /** It is sent, and its response is ignored. */
  | { does: 'lose_ack' }
  /** It is sent in another form. */
  | { does: 'alter'; alter(sending: WebhookMessage, signingSecret: string): Partial<WebhookMessage> }

const otherDigit = (digit: string) => (15 - Number.parseInt(digit, 16)).toString(16)

/** A signature that a receiver has to refuse, or a body that it does not fit. */
const alter = (alteration: (sending: WebhookMessage, signingSecret: string) => Partial<WebhookMessage>): Behaviour => ({
  does: 'alter',
  alter: alteration,
})

/** Every effect that has a name. control-api: "effect on webhook" */
const behaviours: Record<WebhookEffectName, Behaviour> = {
  drop: { does: 'drop' },
  unreachable: { does: 'unreachable' },
  duplicate: { does: 'duplicate' },
  duplicate_at_once: { does: 'duplicate_at_once' },
  reorder: { does: 'reorder' },
  lose_ack: { does: 'lose_ack' },
  bad_signature: alter(({ signature }) => ({ signature: signature?.replace(/./g, otherDigit) })),
  short_signature: alter(({ signature }) => ({ signature: signature?.slice(0, 32) })),
  no_signature: alter(() => ({ signature: undefined })),
  stale_signature: alter(({ body }, secret) => ({ signature: sign(body, `${secret} of another time`) })),
  altered_body: alter(({ body }) => ({ body: body.replace(/}$/, ',"altered":true}') })),
  reserialised: alter(({ body }) => ({ body: JSON.stringify(JSON.parse(body), null, 1) })),
  replay: alter(({ idempotencyKey }) => ({ idempotencyKey: `evt_${otherKey(idempotencyKey)}` })),
  truncate: alter(({ body }) => ({ body: body.slice(0, Math.floor(body.length / 2)) })),
}

/** Of the same form, and the same for the same event. */
const otherKey = (key: string) => key.replace(/^evt_/, '').split('').reverse().join('')

/** Undefined when nothing is wrong, or the effect only delays. */
export function behaviourOf(effect: WebhookEffect | undefined): Behaviour | undefined {
  if (effect === undefined) return undefined
  if (typeof effect === 'string') return behaviours[effect]
  const { delay: _, body, signature, ...others } = effect
  others satisfies Record<string, never>
  if (body === undefined && signature === undefined) return undefined
  return alter((_, secret) => ({
    ...(body !== undefined && { body, signature: sign(body, secret) }),
    ...(signature !== undefined && { signature }),
  }))
}

/** Returns the milliseconds by which an effect postpones a delivery; undefined when it does not. */
export const delayOf = (effect: WebhookEffect | undefined): number | undefined =>
  typeof effect === 'object' ? effect.delay : undefined

/** The signed event, as the effect leaves it. */
export function underEffect(
  behaviour: Behaviour | undefined,
  { body, idempotencyKey }: Pick<WebhookMessage, 'body' | 'idempotencyKey'>,
  signingSecret: string,
): WebhookMessage {
  const sending = { body, signature: sign(body, signingSecret), idempotencyKey }
  return behaviour?.does === 'alter' ? { ...sending, ...behaviour.alter(sending, signingSecret) } : sending
}
