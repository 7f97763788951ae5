import * as z from 'zod'
import { type Duration, durationPattern, MAX_TIMEOUT, parseDuration, units } from './duration.js'
import { InvalidOptionsError } from './options.js'

const MESSAGE = 'must be a duration: milliseconds, or text such as "90s", "1h" or "30d"'

/** A hundred years: an end so much later than the latest moment of the clock still has a timestamp. */
const MAX_DURATION = 36_525 * units.d

/** A duration as users give it. */
export const durationInput = z.union([z.number().nonnegative(), z.string().regex(durationPattern, MESSAGE)], MESSAGE)

/** A duration as users give it, milliseconds or text; comes out as milliseconds. control-api: preamble, wire: §8 */
export const duration = durationInput
  .transform((given) => (typeof given === 'number' ? Math.round(given) : parseDuration(given)))
  .refine((ms) => ms <= MAX_DURATION, 'must be at most a hundred years') as unknown as z.ZodType<number, Duration>

/** A duration that is waited for in real time. */
export const realDuration = duration.refine(
  (ms) => ms <= MAX_TIMEOUT,
  'is real time: must be at most 24 days',
) as z.ZodType<number, Duration>

/** Returns the milliseconds of an option that is real time; undefined without it. @throws InvalidOptionsError */
export function durationOption(path: string, given: Duration | undefined): number | undefined {
  const { data, error } = realDuration.optional().safeParse(given)
  if (error) throw new InvalidOptionsError(error.issues.map(({ message }) => ({ path, message })))
  return data
}
