import { activityKind } from '../activities/activity-kind.js'
import { appKind } from '../apps/app-kind.js'
import { installationKind } from '../apps/installation-kind.js'
import { tokenKind } from '../authentication/token-kind.js'
import { courseKind } from '../courses/course-kind.js'
import { elementKind } from '../elements/element-kind.js'
import { faultKind } from '../faults/fault-kind.js'
import { courseMemberKind } from '../members/course-member-kind.js'
import { moduleKind } from '../modules/module-kind.js'
import { codeKind } from '../oauth/code-kind.js'
import { keyKind } from '../oauth/key-kind.js'
import { silentAuthKind } from '../oauth/silent-auth-kind.js'
import { membershipKind } from '../organizations/membership-kind.js'
import { organizationKind } from '../organizations/organization-kind.js'
import { userKind } from '../organizations/user-kind.js'
import type { CollectionName, KindOf } from '../store/kind.js'
import { sessionKind } from '../web-app/session-kind.js'
import { deliveryKind } from '../webhooks/delivery-kind.js'
import { clockKind } from '../world/clock-kind.js'
import { fixtureSettingsKind } from '../world/fixture-settings-kind.js'

/** Every kind of record, in the order in which a store file lists them. A room's declaration that is missing here does not compile. */
export const kinds = {
  organizations: organizationKind,
  users: userKind,
  memberships: membershipKind,
  courses: courseKind,
  course_members: courseMemberKind,
  modules: moduleKind,
  elements: elementKind,
  activities: activityKind,
  apps: appKind,
  installations: installationKind,
  tokens: tokenKind,
  codes: codeKind,
  sessions: sessionKind,
  deliveries: deliveryKind,
  keys: keyKind,
  silent_auth: silentAuthKind,
  faults: faultKind,
  clock: clockKind,
  fixture_settings: fixtureSettingsKind,
} satisfies { [C in CollectionName]: KindOf<C> }
