import * as z from 'zod'
import { moment } from '../../foundation/schema/document-fields.js'
import { units } from '../../foundation/schema/duration.js'

/** Timestamps have four digits for the year, those of what is earlier or lives on for a while too. */
const EARLIEST = Date.UTC(1000)
export const LATEST = Date.UTC(9000)

export const CLOCK_RANGE = 'must be between the years 1000 and 9000'

/** Whether the emulator's clock may be there. */
export const isClockMoment = (text: string): boolean => Date.parse(text) >= EARLIEST && Date.parse(text) <= LATEST

export const clockMoment = moment.refine(isClockMoment, CLOCK_RANGE)

const YEAR = 365.25 * units.d

/** Milliseconds from the machine's clock: as far as a clock gets that is stopped at any of these moments and goes on. */
export const clockOffset = z
  .number()
  .min(-1500 * YEAR)
  .max(7000 * YEAR)
