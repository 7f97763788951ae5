import { kind } from '../../foundation/store/kind.js'
import type { CourseMemberRecord } from './course-member-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    course_members: { record: CourseMemberRecord; kind: typeof courseMemberKind }
  }
}

export const courseMemberKind = kind(async () => (await import('./course-member-record.js')).courseMemberRecord, {
  indexes: {
    course: { key: (it) => it.course },
    /** `<organization>/<user>`: the id of the membership that it needs. */
    membership: { key: (it) => `${it.organization}/${it.user}` },
  },
  fixture: 'own',
  goesWith: { courses: 'course', memberships: 'membership' },
})
