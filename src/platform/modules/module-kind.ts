import { byOrder, kind } from '../../foundation/store/kind.js'
import type { ModuleRecord } from './module-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    modules: { record: ModuleRecord; kind: typeof moduleKind }
  }
}

export const moduleKind = kind(async () => (await import('./module-record.js')).moduleRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    course: { key: (it) => it.course },
    siblings: { key: (it) => it.course, compare: byOrder },
  },
  fixture: 'own',
  goesWith: { courses: 'course' },
  counted: true,
})
