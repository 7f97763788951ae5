import { kind } from '../store/kind.js'
import type { CourseRecord } from './course-record.js'

declare module '../store/kind.js' {
  interface Kinds {
    courses: { record: CourseRecord; kind: typeof courseKind }
  }
}

export const courseKind = kind<CourseRecord>()({ organization: { key: (it) => it.organization } })
