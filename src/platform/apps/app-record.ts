import * as z from 'zod'
import { freeForm, recordFields, timestamp } from '../../foundation/schema/record-fields.js'

const appVersion = z.object({ version: z.string(), manifest: freeForm, pushed_at: timestamp })

/** `id` is the manifest's id. `versions` in the order in which they were pushed. spec: §9 */
export const appRecord = z.object({
  ...recordFields,
  client_id: z.string(),
  client_secret: z.string(),
  signing_secret: z.string(),
  versions: z.array(appVersion).min(1),
})

export type AppRecord = z.infer<typeof appRecord>
