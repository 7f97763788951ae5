import * as z from 'zod'
import { freeForm, recordFields } from '../../foundation/schema/record-fields.js'

/** The one record of what fixtures set: setting name to value. wire: §8 */
export const fixtureSettingsRecord = z.object({ ...recordFields, values: freeForm })

export type FixtureSettingsRecord = z.infer<typeof fixtureSettingsRecord>
