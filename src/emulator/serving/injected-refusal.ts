/** Refusals that a fault may ask for by name, each in a few words. control-api: "Faults" */
export const injectedRefusals = {
  rate_limited: '429, with Retry-After',
  token_expired: '401, the token expired',
  token_revoked: '401, the token was revoked',
  insufficient_scope: '403, a scope is missing',
  unavailable: '503',
} as const

export type InjectedRefusal = keyof typeof injectedRefusals
