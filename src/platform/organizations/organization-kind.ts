import { irregularity } from '../../foundation/store/irregularity.js'
import { kind } from '../../foundation/store/kind.js'
import type { OrganizationRecord } from './organization-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    organizations: { record: OrganizationRecord; kind: typeof organizationKind }
  }
}

export const organizationKind = kind(async () => (await import('./organization-record.js')).organizationRecord, {
  indexes: {
    api_key: { key: (it) => it.api_key },
    irregular: { key: (it) => irregularity(it.api_key ?? '') },
  },
  fixture: 'own',
  counted: true,
})
