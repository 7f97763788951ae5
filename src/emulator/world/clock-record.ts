import { units } from '../../foundation/schema/duration.js'
import type { OutputOf, SchemaWords } from '../../foundation/schema/late-schema.js'
import { kind } from '../../foundation/store/kind.js'

/** Timestamps have four digits for the year, those of what is earlier or lives on for a while too. */
const EARLIEST = Date.UTC(1000)
export const LATEST = Date.UTC(9000)

export const CLOCK_RANGE = 'must be between the years 1000 and 9000'

/** True for a moment that the emulator's clock may have. */
export const isClockMoment = (text: string): boolean => Date.parse(text) >= EARLIEST && Date.parse(text) <= LATEST

export const clockMoment = ({ moment }: SchemaWords) => moment.refine(isClockMoment, CLOCK_RANGE)

const YEAR = 365.25 * units.d

/** Milliseconds from the machine's clock: as far as a clock gets that is stopped at any of these moments and goes on. */
export const clockOffset = ({ z }: SchemaWords) =>
  z
    .number()
    .min(-1500 * YEAR)
    .max(7000 * YEAR)

/** The one record of the clock: a frozen clock shows `at`; a running one is `offset` ms off the machine's. */
export const clockRecord = (words: SchemaWords) =>
  words.z.object({
    ...words.recordFields,
    frozen: words.z.boolean(),
    at: words.timestamp.nullable(),
    offset: clockOffset(words),
  })

export type ClockRecord = OutputOf<typeof clockRecord>

export const clockKind = kind(clockRecord, {
  indexes: {},
  fixture: 'none',
})
