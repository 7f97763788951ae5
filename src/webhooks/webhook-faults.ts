import type { WebhookEffect } from '../faults/effects.js'
import { sign } from './sign.js'

/** What is about to be sent. */
export interface Sending {
  body: string
  /** Undefined: the header is left out. */
  signature: string | undefined
  /** The idempotency key; the event's id unless a fault says otherwise. */
  key: string
}

const otherDigit = (digit: string) => (15 - Number.parseInt(digit, 16)).toString(16)

type NamedEffect = Extract<WebhookEffect, string>

interface Genuine extends Sending {
  signature: string
}

interface Sender {
  signingSecret: string
  /** A fresh event id. */
  otherKey: () => string
}

type Alteration = (genuine: Genuine, sender: Sender) => Partial<Sending>

/** What is sent is the genuine webhook; the fault is in when, whether or how often it is, or in what becomes of the answer. */
const unaltered: Alteration = () => ({})

/** What each fault does to what is sent. control-api: "effect on webhook" */
const alterations: Record<NamedEffect, Alteration> = {
  drop: unaltered,
  duplicate: unaltered,
  reorder: unaltered,
  lose_ack: unaltered,
  bad_signature: ({ signature }) => ({ signature: signature.replace(/./g, otherDigit) }),
  short_signature: ({ signature }) => ({ signature: signature.slice(0, 32) }),
  no_signature: () => ({ signature: undefined }),
  stale_signature: ({ body }, { signingSecret }) => ({ signature: sign(body, `${signingSecret} of another time`) }),
  altered_body: ({ body }) => ({ body: body.replace(/}$/, ',"altered":true}') }),
  reserialised: ({ body }) => ({ body: JSON.stringify(JSON.parse(body), null, 2) }),
  replay: (_, { otherKey }) => ({ key: otherKey() }),
  truncate: ({ body }) => ({ body: body.slice(0, Math.floor(body.length / 2)) }),
}

/** A body that somebody chose is signed as it is, unless they chose the signature too. */
const chosen = ({ body, signature }: Exclude<WebhookEffect, string>, { signingSecret }: Sender): Partial<Sending> => ({
  ...(body !== undefined && { body, signature: sign(body, signingSecret) }),
  ...(signature !== undefined && { signature }),
})

/** The signed body and its key, as the fault leaves them. */
export function underFault(
  effect: WebhookEffect | undefined,
  { body, key }: Pick<Sending, 'body' | 'key'>,
  sender: Sender,
): Sending {
  const genuine: Genuine = { body, key, signature: sign(body, sender.signingSecret) }
  if (effect === undefined) return genuine
  const altered = typeof effect === 'string' ? alterations[effect](genuine, sender) : chosen(effect, sender)
  return { ...genuine, ...altered }
}
