import { clockDocument } from '../../emulator/world/clock-record.js'
import { runField } from '../../emulator/world/run.js'
import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'
import { nonWordSecretKey } from '../../foundation/store/non-word-secret.js'
import { roles } from './roles.js'

/** An organization in a fixture document, without its courses. fixtures: `organizations` */
export const organizationFields = (words: SchemaWords) => {
  const { z, documentId, bearerCredential, generated } = words
  const member = z.strictObject({ user: z.string(), role: z.enum(roles).default('learner'), ...generated })
  return {
    slug: documentId,
    /** The slug when left out. */
    name: z.string().min(1).optional(),
    /** Left out: one is generated. Null: none has been generated yet. */
    api_key: bearerCredential.nullable().optional(),
    members: z.array(member).default([]),
    /** Its own clock; the emulator's when left out. */
    clock: clockDocument(words).optional(),
    run: runField(words),
  }
}

/** `id` is the slug. */
export const organizationRecord = recordSchema((words) => ({
  name: words.z.string(),
  api_key: words.z.string().nullable(),
  run: runField(words),
}))

export type OrganizationRecord = OutputOf<typeof organizationRecord>

export const organizationKind = kind(organizationRecord, {
  indexes: {
    api_key: { key: (it) => it.api_key, unique: true },
    non_word_secret: { key: (it) => nonWordSecretKey(it.api_key ?? '') },
  },
  counted: true,
})
