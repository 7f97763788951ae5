import * as z from 'zod'

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** Milliseconds of a duration such as `90s`, `1h` or `30d`; NaN when it is not one. */
export function parseDuration(text: string): number {
  const [, amount, unit] = pattern.exec(text) ?? []
  return Math.round(Number(amount) * units[unit as keyof typeof units])
}

const MESSAGE = 'must be a duration: milliseconds, or text such as "90s", "1h" or "30d"'

/** A duration as users give it, milliseconds or text; comes out as milliseconds. control-api: preamble, wire: §8 */
export const duration = z
  .union([z.number().nonnegative().max(Number.MAX_SAFE_INTEGER), z.string().regex(pattern, MESSAGE)], MESSAGE)
  .transform((given) => (typeof given === 'number' ? Math.round(given) : parseDuration(given)))

/** As users give it: milliseconds, or text such as `90s`. */
export type Duration = z.input<typeof duration>
