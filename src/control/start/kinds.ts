import { faultKind } from '../../emulator/faults/fault-record.js'
import { clockKind } from '../../emulator/world/clock-record.js'
import { fixtureSettingsKind } from '../../emulator/world/fixture-settings-record.js'
import type { CollectionName, KindOf } from '../../foundation/store/kind.js'
import { activityKind } from '../../platform/activities/activity-record.js'
import { appKind } from '../../platform/apps/app-record.js'
import { installationKind } from '../../platform/apps/installation-record.js'
import { tokenKind } from '../../platform/authentication/token-record.js'
import { courseKind } from '../../platform/courses/course-record.js'
import { elementKind } from '../../platform/elements/element-record.js'
import { courseMemberKind } from '../../platform/members/course-member-record.js'
import { moduleKind } from '../../platform/modules/module-record.js'
import { codeKind } from '../../platform/oauth/code-record.js'
import { keyKind } from '../../platform/oauth/key-record.js'
import { silentAuthKind } from '../../platform/oauth/silent-auth-record.js'
import { membershipKind } from '../../platform/organizations/membership-record.js'
import { organizationKind } from '../../platform/organizations/organization-record.js'
import { userKind } from '../../platform/organizations/user-record.js'
import { sessionKind } from '../../platform/web-app/session-record.js'
import { deliveryKind } from '../../platform/webhooks/delivery-record.js'

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
