import { kind } from '../../foundation/store/kind.js'
import type { CourseRecord } from './course-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    courses: { record: CourseRecord; kind: typeof courseKind }
  }
}

export const courseKind = kind(async () => (await import('./course-record.js')).courseRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
  },
  fixture: 'own',
  goesWith: { organizations: 'organization' },
  counted: true,
})
