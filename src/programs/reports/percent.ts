/** As floats, 29 of 50 are less than 58 %. */
const TOLERANCE = 1e-9

/** Returns the share in whole percent, rounded down: 100 only when nothing is left. */
export const percentOf = (share: number): number => Math.floor(share * 100 + TOLERANCE)

/** Returns true for a share that is less than so many percent. */
export const isBelowPercent = (share: number, percent: number): boolean => share * 100 + TOLERANCE < percent
