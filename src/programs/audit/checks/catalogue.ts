import { callbacks } from './callbacks.js'
import type { Check } from './check.js'
import { idTokens } from './id-tokens.js'
import { leaks } from './leaks.js'
import { organizationData } from './organization-data.js'
import { refusedRequests } from './refused-requests.js'
import { sessions } from './sessions.js'
import { signInHazards } from './sign-in-hazards.js'
import { signingIn } from './signing-in.js'
import { tokenRefresh } from './token-refresh.js'
import { timelyAcknowledgements, unusualWebhooks } from './webhook-acknowledgements.js'
import { webhookReplays } from './webhook-replays.js'
import { webhookSignatures } from './webhook-signatures.js'

/** Every check, in the order in which results are shown. audit: "Catalogue" */
export const catalogue: readonly Check[] = [
  ...[timelyAcknowledgements, webhookSignatures, webhookReplays, unusualWebhooks],
  ...[tokenRefresh, refusedRequests, organizationData],
  ...[signingIn, callbacks, idTokens, sessions, signInHazards],
  leaks,
].flat()
