import { kind } from '../store/kind.js'
import { type CourseRecord, courseRecord } from './course-record.js'

declare module '../store/kind.js' {
  interface Kinds {
    courses: { record: CourseRecord; kind: typeof courseKind }
  }
}

export const courseKind = kind(courseRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
  },
  fixture: 'own',
  goesWith: { organizations: 'organization' },
  counted: true,
})
