import { apiAndTokens } from './chapters/api-and-tokens.js'
import { webhooks } from './chapters/webhooks.js'
import type { Check } from './check.js'

/** Every check, in the order in which results are shown. audit: "Catalogue" */
export const catalogue: readonly Check[] = [...webhooks, ...apiAndTokens]
