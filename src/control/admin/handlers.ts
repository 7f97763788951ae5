import type { Handlers } from './call-types.js'
import type { CallName } from './calls.js'
import { appHandlers } from './handlers/apps.handlers.js'
import { clockHandlers } from './handlers/clock.handlers.js'
import { deliveryHandlers } from './handlers/deliveries.handlers.js'
import { faultHandlers } from './handlers/faults.handlers.js'
import { findingHandlers } from './handlers/findings.handlers.js'
import { installationHandlers } from './handlers/installations.handlers.js'
import { organizationHandlers } from './handlers/organizations.handlers.js'
import { requestHandlers } from './handlers/requests.handlers.js'
import { scenarioHandlers } from './handlers/scenarios.handlers.js'
import { signInHandlers } from './handlers/sign-in.handlers.js'
import { tokenHandlers } from './handlers/tokens.handlers.js'
import { userHandlers } from './handlers/users.handlers.js'
import { worldHandlers } from './handlers/world.handlers.js'

/** What each control call does. */
export const handlers: Handlers<CallName> = {
  ...worldHandlers,
  ...clockHandlers,
  ...organizationHandlers,
  ...userHandlers,
  ...appHandlers,
  ...installationHandlers,
  ...tokenHandlers,
  ...signInHandlers,
  ...faultHandlers,
  ...deliveryHandlers,
  ...requestHandlers,
  ...findingHandlers,
  ...scenarioHandlers,
}
