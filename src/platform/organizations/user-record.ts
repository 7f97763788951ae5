import { runField } from '../../emulator/world/run.js'
import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'
import { roles } from './roles.js'

/** The fields of a user that people give, with what they are when a document leaves them out. control-api: "Shapes" */
export const userFields = ({ z }: SchemaWords) => ({
  /** Its form is checked with the references, so that a bad one hides no other issue. */
  email: z.string().meta({ format: 'email' }),
  first_name: z.string().default(''),
  last_name: z.string().default(''),
  email_verified: z.boolean().describe('The email has been verified').default(false),
  avatar: z.string().nullable().describe('URL of a picture').default(null),
})

/** fixtures: `users`; also the body of `POST /_admin/users`. */
export const userDocument = (words: SchemaWords) => {
  const { z, moment, documentId, generated } = words
  return z.strictObject({
    id: documentId.optional(),
    ...userFields(words),
    /** First and last name when left out. */
    full_name: z.string().optional(),
    last_seen: moment.nullable().default(null),
    organizations: z.array(z.strictObject({ slug: z.string(), role: z.enum(roles).default('learner') })).optional(),
    run: runField(words),
    ...generated,
  })
}

export const userRecord = recordSchema((words) => ({
  ...userFields(words),
  full_name: words.z.string(),
  last_seen: words.timestamp.nullable(),
  run: runField(words),
}))

export type UserRecord = OutputOf<typeof userRecord>

export const userKind = kind(userRecord, {
  indexes: { email: { key: (it) => it.email.toLowerCase() } },
  counted: true,
})
