import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'

const text = ({ z }: SchemaWords) => z.string().nullable().default(null)

/** The fields of a course, with what they are when a document leaves them out. wire: §4 "course" */
export const courseFields = (words: SchemaWords) => {
  const { z, freeForm } = words
  return {
    name: z.string().min(1),
    status: z.enum(['draft', 'published', 'archived']).default('published'),
    cover: text(words),
    availability: z.enum(['public', 'private']).default('public'),
    visibility: z.enum(['listed', 'unlisted']).default('listed'),
    start_date: text(words),
    end_date: text(words),
    currency: text(words),
    price: z.number().nullable().default(null),
    free_label: text(words),
    url: text(words),
    public_url: text(words),
    join_url: text(words),
    metadata: freeForm.default({}),
    custom_fields: freeForm.default({}),
  }
}

export const courseRecord = recordSchema((words) => ({ organization: words.z.string(), ...courseFields(words) }))

export type CourseRecord = OutputOf<typeof courseRecord>

export const courseKind = kind(courseRecord, {
  indexes: { organization: { key: (it) => it.organization } },
  ownedBy: { organizations: 'organization' },
  counted: true,
})
