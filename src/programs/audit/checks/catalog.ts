import { callbacks } from './callbacks.js'
import type { Check } from './check.js'
import { failedRefreshes } from './failed-refreshes.js'
import { foreignCallbacks } from './foreign-callbacks.js'
import { idTokens } from './id-tokens.js'
import { leaks } from './leaks.js'
import { loggingOut } from './logging-out.js'
import { openRedirect } from './open-redirect.js'
import { organizationData } from './organization-data.js'
import { reflection } from './reflection.js'
import { refusedRequests } from './refused-requests.js'
import { sessionSecrets } from './session-secrets.js'
import { sessions } from './sessions.js'
import { signInHazards } from './sign-in-hazards.js'
import { signingIn } from './signing-in.js'
import { keyRotation, signingKeys } from './signing-keys.js'
import { tokenRefresh } from './token-refresh.js'
import { timelyAcknowledgements, unusualWebhooks } from './webhook-acknowledgements.js'
import { webhookOrganizations } from './webhook-organizations.js'
import { webhookReplays } from './webhook-replays.js'
import { webhookSignatures } from './webhook-signatures.js'

/** Every check, in the order in which results are shown. audit: "Catalogue" */
export const catalog: readonly Check[] = [
  ...[timelyAcknowledgements, webhookSignatures, webhookReplays, unusualWebhooks, webhookOrganizations],
  ...[tokenRefresh, failedRefreshes, refusedRequests, organizationData],
  ...[signingIn, callbacks, foreignCallbacks, reflection, idTokens, signingKeys],
  ...[sessions, sessionSecrets, loggingOut, openRedirect, signInHazards, keyRotation],
  leaks,
].flat()
