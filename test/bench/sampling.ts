/** One of the things that are measured against each other. */
export interface Contender {
  name: string
  /** Measures once. @returns the figure, in the row's unit. */
  once: () => Promise<number>
}

/** Result of one contender. `min` and `max` are those of the rounds, not of single requests. */
export interface Summary {
  median: number
  min: number
  max: number
  rounds: number
}

/**
 * Measures every contender once a round, in turns (A B C, B C A, …), so that whatever else the machine does meets all
 * of them alike. One round before the first is thrown away: it pays for cold caches.
 * @returns the figures of each contender, one a round.
 */
export async function interleave(rounds: number, contenders: readonly Contender[]): Promise<Map<string, number[]>> {
  const figures = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(turn + Math.max(round, 0)) % contenders.length] as Contender
      const figure = await contender.once()
      if (round >= 0) figures.get(contender.name)?.push(figure)
    }
  }
  return figures
}

/** @param share between 0 and 1: 0.5 is the median, 0.99 the p99. @throws when there are no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? sorted[0]
  if (value === undefined) throw new Error('There is nothing to take a percentile of.')
  return value
}

export const median = (values: readonly number[]) => percentile(values, 0.5)

export const summarize = (values: readonly number[]): Summary => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
  rounds: values.length,
})

/** The slope of the straight line that fits the points best: how much `y` grows for each 1 of `x`. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(points.map((point) => point.x))
  const y = mean(points.map((point) => point.y))
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread
}
