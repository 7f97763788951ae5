/** Returns the share in whole percent, rounded down: 100 only when nothing is left. */
export const percentOf = (share: number): number => Math.floor(share * 100 + 1e-9)
