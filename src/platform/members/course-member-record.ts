import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'

const enrollment = ({ z, freeForm, moment, generated }: SchemaWords) =>
  z.strictObject({ user: z.string(), joined_at: moment.optional(), custom_fields: freeForm.default({}), ...generated })

/** A member of a course in a fixture document. fixtures: "Fields" */
export const courseMemberDocument = (words: SchemaWords) =>
  words.z.union([words.z.string(), enrollment(words)], 'must be a user, or { user, joined_at, custom_fields }')

/** `id` is `<course>/<user>`. */
export const courseMemberRecord = recordSchema(({ z, timestamp, freeForm }) => ({
  organization: z.string(),
  course: z.string(),
  user: z.string(),
  joined_at: timestamp,
  custom_fields: freeForm,
}))

export type CourseMemberRecord = OutputOf<typeof courseMemberRecord>

export const courseMemberKind = kind(courseMemberRecord, {
  indexes: {
    course: { key: (it) => it.course },
    /** `<organization>/<user>`: the id of the membership that it needs. */
    membership: { key: (it) => `${it.organization}/${it.user}` },
  },
  ownedBy: { courses: 'course', memberships: 'membership' },
})
