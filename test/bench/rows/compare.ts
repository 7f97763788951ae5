import { type Figure, type Row, type Unit, withRatios } from '../figures.js'
import type { Bench } from '../measurement.js'
import { type Contender, interleave, summarize } from '../sampling.js'

/** Lines of a row, with the answers that the peers have for it, all measured in turns. */
export async function compare(
  bench: Bench,
  row: { id: string; unit: Unit; rounds: number; reference?: string; contenders: Contender[] },
): Promise<Pick<Row, 'figures' | 'notes' | 'reference'>> {
  const peers = await bench.peers?.answersFor(row.id, bench)
  const measured = await interleave(row.rounds, [...row.contenders, ...(peers?.contenders ?? [])])
  await peers?.close()
  const figures = [...measured].map(
    ([name, values]): Figure => ({
      name,
      unit: row.unit,
      values,
      ...summarize(values),
    }),
  )
  return {
    ...(row.reference !== undefined && { reference: row.reference }),
    figures: row.reference === undefined ? figures : withRatios(figures, row.reference),
    notes: peers?.notes() ?? [],
  }
}
