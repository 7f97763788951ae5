import type { OutputOf } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'

/** The one record of what a control call set; it goes before the settings. `seed` null: no liberties. */
export const libertiesRecord = recordSchema(({ z }) => ({ seed: z.string().nullable(), kinds: z.array(z.string()) }))

export type LibertiesRecord = OutputOf<typeof libertiesRecord>

export const libertiesKind = kind(libertiesRecord, {
  indexes: {},
})
