import * as z from 'zod'
import { recordFields } from '../../foundation/schema/record-fields.js'

/** `id` is the slug. */
export const organizationRecord = z.object({ ...recordFields, name: z.string(), api_key: z.string().nullable() })

export type OrganizationRecord = z.infer<typeof organizationRecord>
