import { kind } from '../../foundation/store/kind.js'
import type { MembershipRecord } from './membership-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    memberships: { record: MembershipRecord; kind: typeof membershipKind }
  }
}

export const membershipKind = kind(async () => (await import('./membership-record.js')).membershipRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    user: { key: (it) => it.user },
  },
  fixture: 'own',
  goesWith: { organizations: 'organization' },
})
