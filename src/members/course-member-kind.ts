import { kind } from '../store/kind.js'
import type { CourseMemberRecord } from './course-member-record.js'

declare module '../store/kind.js' {
  interface Kinds {
    course_members: { record: CourseMemberRecord; kind: typeof courseMemberKind }
  }
}

export const courseMemberKind = kind<CourseMemberRecord>()({
  course: { key: (it) => it.course },
  user: { key: (it) => it.user },
})
