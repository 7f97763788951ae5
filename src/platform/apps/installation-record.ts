import * as z from 'zod'
import { recordFields, timestamp } from '../../foundation/schema/record-fields.js'

export const installationStates = ['installed', 'uninstalling', 'uninstalled', 'upgraded'] as const

/** `app` is the manifest id, `organization` the slug, `installer` a user id, `scope` space-separated. spec: §3 */
export const installationRecord = z.object({
  ...recordFields,
  app: z.string(),
  organization: z.string(),
  version: z.string(),
  installer: z.string().nullable(),
  state: z.enum(installationStates),
  scope: z.string(),
  installed_at: timestamp,
  ended_at: timestamp.nullable(),
})

export type InstallationRecord = z.infer<typeof installationRecord>
