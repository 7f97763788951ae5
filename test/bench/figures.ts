import { median, type Summary } from './sampling.js'

export type Unit = 'ms' | 'req/s' | 'MB' | 'KB' | '%' | 'count'

/** One line of a row: a contender and what it came to. */
export interface Figure extends Summary {
  name: string
  unit: Unit
  /** One a round, in the order in which they were measured. */
  values: number[]
  /** The median of each round's ratio to the row's reference, which was measured in the same round. */
  ratio?: number
  /** Further figures of the same contender, such as `p50` and `p99`, in milliseconds unless their name says otherwise. */
  beside?: Record<string, number>
}

/** A row's target from `design.md`. A missed goal is reported, never an error. */
export interface Goal {
  text: string
  value: number
  met: boolean
}

/** Result of one measurement. */
export interface Row {
  id: string
  title: string
  /** The name of the figure that the ratios are to. */
  reference?: string
  figures: Figure[]
  goals: Goal[]
  /** Notes for readers, such as which peers have no answer for this row. */
  notes: string[]
}

/** @param text with the figure, as in `ratio to bare express at least 3`. */
export const atMost = (limit: number, value: number, text: string): Goal => ({
  text: `${text} at most ${limit}`,
  value,
  met: value <= limit,
})

export const atLeast = (limit: number, value: number, text: string): Goal => ({
  text: `${text} at least ${limit}`,
  value,
  met: value >= limit,
})

/**
 * Compares every figure with the one named, round by round: what slows the machine down for a while meets both.
 * @throws when there is none of that name.
 */
export function withRatios(figures: Figure[], reference: string): Figure[] {
  const base = figureOf(figures, reference)
  return figures.map((figure) => ({ ...figure, ratio: ratioOf(figure, base) }))
}

/** The median of the rounds' ratios. Both were measured in the same rounds. */
export const ratioOf = ({ values }: Figure, base: Figure) =>
  median(values.map((value, round) => value / (base.values[round] as number)))

/** @throws when there is none of that name. */
export function figureOf(figures: readonly Figure[], name: string): Figure {
  const found = figures.find((figure) => figure.name === name)
  if (!found) throw new Error(`The figure ${name} was not measured.`)
  return found
}
