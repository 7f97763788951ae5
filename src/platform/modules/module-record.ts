import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { byOrder, kind, recordSchema } from '../../foundation/store/kind.js'

/** The fields of a module, with what they are when a document leaves them out. wire: §4 "module" */
export const moduleFields = ({ z, freeForm }: SchemaWords) => ({
  name: z.string().min(1),
  metadata: freeForm.default({}),
})

/** `order` is a fractional key: siblings sorted by it are in position order, and a move changes one record. */
export const moduleRecord = recordSchema((words) => ({
  organization: words.z.string(),
  course: words.z.string(),
  order: words.z.string(),
  ...moduleFields(words),
}))

export type ModuleRecord = OutputOf<typeof moduleRecord>

export const moduleKind = kind(moduleRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    course: { key: (it) => it.course },
    siblings: { key: (it) => it.course, compare: byOrder },
  },
  ownedBy: { courses: 'course' },
  counted: true,
})
