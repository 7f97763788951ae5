import * as z from 'zod'
import { clockMoment } from '../../../emulator/world/clock-record.js'
import { duration } from '../../../foundation/schema/duration-schema.js'
import * as words from '../../../foundation/schema/schema-words.js'
import type { CallSchemas } from '../call.js'
import { strict } from '../schema-parts.js'

const clock = z
  .object({
    now: z.string(),
    frozen: z.boolean().describe('Whether time stands still'),
    offset: z.number().describe("Milliseconds by which it is ahead of the machine's clock"),
  })
  .meta({ id: 'Clock' })

const at = clockMoment(words).transform((text) => Date.parse(text))

/** control-api: "Clock" */
export const clockSchemas = {
  clock: { answer: clock },
  advanceClock: { body: strict({ by: duration }), answer: clock },
  freezeClock: { body: strict({ at: at.optional().describe('Where the clock stands, when left out') }), answer: clock },
  resumeClock: { answer: clock },
} as const satisfies Record<string, CallSchemas>
