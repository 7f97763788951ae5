import { units } from '../../foundation/schema/duration.js'
import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind, recordSchema } from '../../foundation/store/kind.js'

/** Timestamps have four digits for the year, those of what is earlier or lives on for a while too. */
const EARLIEST = Date.UTC(1000)
const LATEST = Date.UTC(9000)

export const CLOCK_RANGE = 'must be between the years 1000 and 9000'

/** Returns true for a time that a clock may have, in ms since 1970. */
export const isClockTime = (ms: number): boolean => ms >= EARLIEST && ms <= LATEST

/** Returns true for a moment that the emulator's clock may have. */
export const isClockMoment = (text: string): boolean => isClockTime(Date.parse(text))

export const clockMoment = ({ moment }: SchemaWords) => moment.refine(isClockMoment, CLOCK_RANGE)

const YEAR = 365.25 * units.d

/** Milliseconds from the machine's clock: as far as a clock gets that is stopped at any of these moments and goes on. */
const clockOffset = ({ z }: SchemaWords) =>
  z
    .number()
    .min(-1500 * YEAR)
    .max(7000 * YEAR)

/**
 * A clock as a fixture document has it. A running one is at `now`, or `offset` ms from the clock that it follows. One
 * with only an `offset` runs by default, any other is stopped.
 */
export const clockDocument = (words: SchemaWords) =>
  words.z.strictObject({
    frozen: words.z.boolean().optional(),
    now: clockMoment(words).optional(),
    offset: clockOffset(words).optional(),
  })

/**
 * A clock: a frozen one shows `at`; a running one is `offset` ms off the clock that it follows. The emulator's follows
 * the machine's, an organization's follows the emulator's.
 */
const clockRecord = recordSchema((words) => ({
  frozen: words.z.boolean(),
  at: words.timestamp.nullable(),
  offset: clockOffset(words),
}))

export type ClockRecord = OutputOf<typeof clockRecord>

/** The one record of the emulator's clock. */
export const clockKind = kind(clockRecord, { indexes: {} })

/** The clock of an organization that has been moved on its own. `id` is the slug. */
export const organizationClockKind = kind(clockRecord, {
  indexes: { organization: { key: (it) => it.id } },
  // The organization's document has it.
  ownedBy: { organizations: 'organization' },
})
