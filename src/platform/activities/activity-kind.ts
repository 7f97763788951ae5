import { kind } from '../../foundation/store/kind.js'
import type { ActivityRecord } from './activity-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    activities: { record: ActivityRecord; kind: typeof activityKind }
  }
}

export const activityKind = kind(async () => (await import('./activity-record.js')).activityRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    element: { key: (it) => it.element },
  },
  fixture: 'own',
  goesWith: { elements: 'element' },
  counted: true,
})
