import type { OutputOf } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'

/** The one record of what fixtures set: setting name to value. wire: §8 */
export const fixtureSettingsRecord = recordSchema(({ freeForm }) => ({ values: freeForm }))

export type FixtureSettingsRecord = OutputOf<typeof fixtureSettingsRecord>

export const fixtureSettingsKind = kind(fixtureSettingsRecord, { indexes: {} })
