import type { CallSchemas } from './call.js'
import type { CallName } from './calls.js'
import { appSchemas } from './schemas/apps.schemas.js'
import { clockSchemas } from './schemas/clock.schemas.js'
import { deliverySchemas } from './schemas/deliveries.schemas.js'
import { faultSchemas } from './schemas/faults.schemas.js'
import { findingSchemas } from './schemas/findings.schemas.js'
import { installationSchemas } from './schemas/installations.schemas.js'
import { organizationSchemas } from './schemas/organizations.schemas.js'
import { requestSchemas } from './schemas/requests.schemas.js'
import { scenarioSchemas } from './schemas/scenarios.schemas.js'
import { signInSchemas } from './schemas/sign-in.schemas.js'
import { tokenSchemas } from './schemas/tokens.schemas.js'
import { userSchemas } from './schemas/users.schemas.js'
import { worldSchemas } from './schemas/world.schemas.js'

/** What goes into each control call and what comes out. */
export const schemas = {
  ...worldSchemas,
  ...clockSchemas,
  ...organizationSchemas,
  ...userSchemas,
  ...appSchemas,
  ...installationSchemas,
  ...tokenSchemas,
  ...signInSchemas,
  ...faultSchemas,
  ...deliverySchemas,
  ...requestSchemas,
  ...findingSchemas,
  ...scenarioSchemas,
} satisfies Record<CallName, CallSchemas>
