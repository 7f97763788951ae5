import { type FaultRecord, faultKind } from '../../emulator/faults/fault-record.js'
import { type LibertiesRecord, libertiesKind } from '../../emulator/liberties/liberties-record.js'
import { type ClockRecord, clockKind, organizationClockKind } from '../../emulator/world/clock-record.js'
import { type FixtureSettingsRecord, fixtureSettingsKind } from '../../emulator/world/fixture-settings-record.js'
import type { CollectionName, KindOf } from '../../foundation/store/kind.js'
import { type ActivityRecord, activityKind } from '../../platform/activities/activity-record.js'
import { type AppRecord, appKind } from '../../platform/apps/app-record.js'
import { type InstallationRecord, installationKind } from '../../platform/apps/installation-record.js'
import { type TokenRecord, tokenKind } from '../../platform/authentication/token-record.js'
import { type CourseRecord, courseKind } from '../../platform/courses/course-record.js'
import { type ElementRecord, elementKind } from '../../platform/elements/element-record.js'
import { type CourseMemberRecord, courseMemberKind } from '../../platform/members/course-member-record.js'
import { type ModuleRecord, moduleKind } from '../../platform/modules/module-record.js'
import { type CodeRecord, codeKind } from '../../platform/oauth/code-record.js'
import { type KeyRecord, keyKind } from '../../platform/oauth/key-record.js'
import { type SilentAuthRecord, silentAuthKind } from '../../platform/oauth/silent-auth-record.js'
import { type MembershipRecord, membershipKind } from '../../platform/organizations/membership-record.js'
import { type OrganizationRecord, organizationKind } from '../../platform/organizations/organization-record.js'
import { type UserRecord, userKind } from '../../platform/organizations/user-record.js'
import { type SessionRecord, sessionKind } from '../../platform/web-app/session-record.js'
import { type DeliveryRecord, deliveryKind } from '../../platform/webhooks/delivery-record.js'
import { type SandboxRecord, sandboxKind } from '../sandboxes/sandbox-record.js'

/** The types of every kind of record, by the name of its collection: the store has `store.courses` by this. */
declare module '../../foundation/store/kind.js' {
  interface Kinds {
    organizations: { record: OrganizationRecord; kind: typeof organizationKind }
    users: { record: UserRecord; kind: typeof userKind }
    memberships: { record: MembershipRecord; kind: typeof membershipKind }
    courses: { record: CourseRecord; kind: typeof courseKind }
    course_members: { record: CourseMemberRecord; kind: typeof courseMemberKind }
    modules: { record: ModuleRecord; kind: typeof moduleKind }
    elements: { record: ElementRecord; kind: typeof elementKind }
    activities: { record: ActivityRecord; kind: typeof activityKind }
    apps: { record: AppRecord; kind: typeof appKind }
    installations: { record: InstallationRecord; kind: typeof installationKind }
    tokens: { record: TokenRecord; kind: typeof tokenKind }
    codes: { record: CodeRecord; kind: typeof codeKind }
    sessions: { record: SessionRecord; kind: typeof sessionKind }
    sandboxes: { record: SandboxRecord; kind: typeof sandboxKind }
    deliveries: { record: DeliveryRecord; kind: typeof deliveryKind }
    keys: { record: KeyRecord; kind: typeof keyKind }
    silent_auth: { record: SilentAuthRecord; kind: typeof silentAuthKind }
    faults: { record: FaultRecord; kind: typeof faultKind }
    clock: { record: ClockRecord; kind: typeof clockKind }
    organization_clocks: { record: ClockRecord; kind: typeof organizationClockKind }
    liberties: { record: LibertiesRecord; kind: typeof libertiesKind }
    fixture_settings: { record: FixtureSettingsRecord; kind: typeof fixtureSettingsKind }
  }
}

/** Every kind of record, in the order in which a store file lists them. */
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
  sandboxes: sandboxKind,
  clock: clockKind,
  organization_clocks: organizationClockKind,
  liberties: libertiesKind,
  fixture_settings: fixtureSettingsKind,
} satisfies { [C in CollectionName]: KindOf<C> }
