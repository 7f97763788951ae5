import { kind } from '../store/kind.js'
import { type OrganizationRecord, organizationRecord } from './organization-record.js'

declare module '../store/kind.js' {
  interface Kinds {
    organizations: { record: OrganizationRecord; kind: typeof organizationKind }
  }
}

export const organizationKind = kind(organizationRecord, {
  indexes: {
    api_key: { key: (it) => it.api_key },
  },
  fixture: 'own',
  counted: true,
})
