import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind } from '../../foundation/store/kind.js'

/** The one record of what fixtures set: setting name to value. wire: §8 */
export const fixtureSettingsRecord = ({ z, recordFields, freeForm }: SchemaWords) =>
  z.object({ ...recordFields, values: freeForm })

export type FixtureSettingsRecord = OutputOf<typeof fixtureSettingsRecord>

export const fixtureSettingsKind = kind(fixtureSettingsRecord, { indexes: {} })
