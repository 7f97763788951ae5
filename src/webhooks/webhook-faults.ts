import type { WebhookEffect } from '../faults/effects.js'
import { sign } from './sign.js'

/** What is about to be sent. `signature` undefined: the header is left out. */
export interface Sending {
  body: string
  signature: string | undefined
}

const otherDigit = (digit: string) => (15 - Number.parseInt(digit, 16)).toString(16)

type NamedEffect = Extract<WebhookEffect, string>

/** What each fault does to a webhook that is sent all the same. control-api: "effect on webhook" */
const alterations: Partial<Record<NamedEffect, (sending: Sending, signingSecret: string) => Sending>> = {
  bad_signature: ({ body, signature }) => ({ body, signature: signature?.replace(/./g, otherDigit) }),
  short_signature: ({ body, signature }) => ({ body, signature: signature?.slice(0, 32) }),
  no_signature: ({ body }) => ({ body, signature: undefined }),
  stale_signature: ({ body }, secret) => ({ body, signature: sign(body, `${secret} of another time`) }),
  altered_body: ({ body, signature }) => ({ body: body.replace(/}$/, ',"altered":true}'), signature }),
  truncate: ({ body, signature }) => ({ body: body.slice(0, Math.floor(body.length / 2)), signature }),
}

/** The signed body, as the fault leaves it. */
export function underFault(effect: WebhookEffect | undefined, body: string, signingSecret: string): Sending {
  const sending = { body, signature: sign(body, signingSecret) }
  const alteration = typeof effect === 'string' ? alterations[effect] : undefined
  return alteration ? alteration(sending, signingSecret) : sending
}
