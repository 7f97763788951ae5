import { byOrder, kind } from '../store/kind.js'
import type { ModuleRecord } from './module-record.js'

declare module '../store/kind.js' {
  interface Kinds {
    modules: { record: ModuleRecord; kind: typeof moduleKind }
  }
}

export const moduleKind = kind<ModuleRecord>()({
  organization: { key: (it) => it.organization },
  course: { key: (it) => it.course },
  siblings: { key: (it) => it.course, compare: byOrder },
})
