import { faultKind } from '../../emulator/faults/fault-kind.js'
import { clockKind } from '../../emulator/world/clock-kind.js'
import { fixtureSettingsKind } from '../../emulator/world/fixture-settings-kind.js'
import type { CollectionName, KindOf } from '../../foundation/store/kind.js'
import { activityKind } from '../../platform/activities/activity-kind.js'
import { appKind } from '../../platform/apps/app-kind.js'
import { installationKind } from '../../platform/apps/installation-kind.js'
import { tokenKind } from '../../platform/authentication/token-kind.js'
import { courseKind } from '../../platform/courses/course-kind.js'
import { elementKind } from '../../platform/elements/element-kind.js'
import { courseMemberKind } from '../../platform/members/course-member-kind.js'
import { moduleKind } from '../../platform/modules/module-kind.js'
import { codeKind } from '../../platform/oauth/code-kind.js'
import { keyKind } from '../../platform/oauth/key-kind.js'
import { silentAuthKind } from '../../platform/oauth/silent-auth-kind.js'
import { membershipKind } from '../../platform/organizations/membership-kind.js'
import { organizationKind } from '../../platform/organizations/organization-kind.js'
import { userKind } from '../../platform/organizations/user-kind.js'
import { sessionKind } from '../../platform/web-app/session-kind.js'
import { deliveryKind } from '../../platform/webhooks/delivery-kind.js'

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
