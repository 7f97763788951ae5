import * as z from 'zod'

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** Milliseconds of a duration such as `90s`, `1h` or `30d`; NaN when it is not one. */
export function parseDuration(text: string): number {
  const [, amount, unit] = pattern.exec(text) ?? []
  return Math.round(Number(amount) * units[unit as keyof typeof units])
}

/** A duration in the largest unit that holds it as a whole number: `90s`, `1h`. */
export function shortDuration(ms: number): string {
  const [unit, size] = Object.entries(units)
    .toReversed()
    .find(([, size]) => ms >= size && ms % size === 0) ?? ['ms', 1]
  return `${ms / size}${unit}`
}

const MESSAGE = 'must be a duration: milliseconds, or text such as "90s", "1h" or "30d"'

/** A hundred years: whatever ends so much later than the latest moment of the clock still has a timestamp. */
const LONGEST = 36_525 * units.d

/** setTimeout's longest delay, some 24 days. */
export const LONGEST_REAL = 2 ** 31 - 1

/** A duration as users give it. */
export const durationInput = z.union([z.number().nonnegative(), z.string().regex(pattern, MESSAGE)], MESSAGE)

/** A duration as users give it, milliseconds or text; comes out as milliseconds. control-api: preamble, wire: §8 */
export const duration = durationInput
  .transform((given) => (typeof given === 'number' ? Math.round(given) : parseDuration(given)))
  .refine((ms) => ms <= LONGEST, 'must be at most a hundred years') as unknown as z.ZodType<number, Duration>

/** A duration that is waited for in real time. */
export const realDuration = duration.refine(
  (ms) => ms <= LONGEST_REAL,
  'is real time: must be at most 24 days',
) as z.ZodType<number, Duration>

/** As users give it: milliseconds, or text such as `90s`. */
export type Duration = number | `${number}${keyof typeof units}`
