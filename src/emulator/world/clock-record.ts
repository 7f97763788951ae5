import * as z from 'zod'
import { recordFields, timestamp } from '../../foundation/schema/record-fields.js'
import { clockOffset } from './clock-schemas.js'

/** The one record of the clock: a frozen clock stands at `at`; a running one is `offset` ms off the machine's. */
export const clockRecord = z.object({
  ...recordFields,
  frozen: z.boolean(),
  at: timestamp.nullable(),
  offset: clockOffset,
})

export type ClockRecord = z.infer<typeof clockRecord>
