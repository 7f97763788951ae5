import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind } from '../../foundation/store/kind.js'

/** The one record of what a control call set; it goes before the settings. `seed` null: no liberties. */
export const libertiesRecord = ({ z, recordFields }: SchemaWords) =>
  z.object({ ...recordFields, seed: z.string().nullable(), kinds: z.array(z.string()) })

export type LibertiesRecord = OutputOf<typeof libertiesRecord>

export const libertiesKind = kind(libertiesRecord, {
  indexes: {},
})
