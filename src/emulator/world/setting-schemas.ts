import type * as z from 'zod'
import * as words from '../../foundation/schema/schema-words.js'
import { type SettingName, settingTable } from './setting-table.js'

type Schemas = { [S in SettingName]: ReturnType<(typeof settingTable)[S]['schema']> }

/** The schema of all settings, each of which may be left out. wire: §8 */
export const settingsSchema = words.z.strictObject(
  Object.fromEntries(
    Object.entries(settingTable).map(([name, { schema, describe }]) => [
      name,
      (schema(words) as z.ZodType).meta({ description: describe }).optional(),
    ]),
  ) as unknown as { [S in SettingName]: z.ZodOptional<Schemas[S]> },
)
