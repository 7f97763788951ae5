/** Milliseconds of each unit of a duration. */
export const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
export const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** Milliseconds of a duration such as `90s`, `1h` or `30d`; NaN when it is not one. */
export function parseDuration(text: string): number {
  const [, amount, unit] = durationPattern.exec(text) ?? []
  return Math.round(Number(amount) * units[unit as keyof typeof units])
}

/** Returns a duration in the largest unit that holds it as a whole number: `90s`, `1h`. */
export function shortDuration(ms: number): string {
  const [unit, size] = Object.entries(units)
    .toReversed()
    .find(([, size]) => ms >= size && ms % size === 0) ?? ['ms', 1]
  return `${ms / size}${unit}`
}

const roughUnits = [
  ['days', units.d],
  ['hours', units.h],
  ['minutes', units.m],
] as const

/** Returns a distance from the machine's clock, so rough that two runs with one seed mostly show the same: `301 days`. */
export function roughDuration(ms: number): string {
  const [name, size] = roughUnits.find(([, size]) => ms >= 2 * size) ?? ['s', units.s]
  return `${Math.ceil(ms / size)} ${name}`
}

/** setTimeout's longest delay, some 24 days. */
export const MAX_TIMEOUT = 2 ** 31 - 1

/** A duration as users write it: milliseconds, or text such as `90s`. */
export type Duration = number | `${number}${keyof typeof units}`
