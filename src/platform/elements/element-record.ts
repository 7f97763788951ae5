import { elementTypeNames } from '../../emulator/world/element-type-names.js'
import type { OutputOf } from '../../foundation/schema/lazy-schema.js'
import { byOrder, kind, recordSchema } from '../../foundation/store/kind.js'

/** `properties` as stored: see `src/platform/elements/element-types.ts`. `order` as on a module. */
export const elementRecord = recordSchema(({ z, timestamp, freeForm }) => ({
  organization: z.string(),
  course: z.string(),
  module: z.string(),
  order: z.string(),
  type: z.enum(elementTypeNames),
  name: z.string(),
  content: z.string(),
  cover: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  properties: freeForm,
  updated_at: timestamp,
}))

export type ElementRecord = OutputOf<typeof elementRecord>

export const elementKind = kind(elementRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    siblings: { key: (it) => it.module, compare: byOrder },
    /** Those whose `source` is an element. */
    source: { key: (it) => (it.properties.source as { id: string } | null | undefined)?.id ?? null },
    /** Those of a course that have score inputs. */
    scores: { key: (it) => (Array.isArray(it.properties.inputs) ? it.course : null) },
  },
  ownedBy: { modules: 'siblings' },
  counted: true,
})
