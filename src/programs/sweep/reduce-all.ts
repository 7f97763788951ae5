import type { AuditContext } from '../audit/context/context.js'
import type { SweepOptions } from './options.js'
import { type CasePlan, describeTrouble, idOf } from './plan.js'
import { CERTAIN, type Reduced, type Reducer } from './reduce.js'
import { type CaseResult, fails, hasFailed } from './report.js'
import { workOn } from './runner.js'
import { scenarioOf, writeScenario } from './scenario.js'
import { remedyOf } from './troubles.js'

/**
 * Reduces the failing cases; of those whose least steps are the same, the first stays and names the others.
 * @returns how many of those that fail the sweep were not reduced when the time was over.
 */
export async function reduceAll(
  context: AuditContext,
  reducer: Pick<Reducer, 'reduce'>,
  cases: CasePlan[],
  results: Map<string, CaseResult>,
  options: Pick<SweepOptions, 'out' | 'liberties' | 'onNote'>,
): Promise<number> {
  const resultOf = (plan: CasePlan) => results.get(idOf(plan)) as CaseResult
  const failsSweep = (plan: CasePlan) => Number(fails(resultOf(plan)))
  // Accepted ones last: a case that fails the sweep is not listed under one that does not.
  const failing = cases
    .filter((plan) => results.has(idOf(plan)) && hasFailed(resultOf(plan)))
    .toSorted((a, b) => failsSweep(b) - failsSweep(a))
  const reductions = new Map<CasePlan, Reduced>()
  await workOn(failing, async (plan) => {
    const reduced = await reducer.reduce(plan, resultOf(plan))
    if (reduced) reductions.set(plan, reduced)
  })
  const firsts = new Map<Reduced, CaseResult>()
  for (const plan of failing) {
    const result = resultOf(plan)
    const reduced = reductions.get(plan)
    const first = reduced && firsts.get(reduced)
    if (first) {
      if (fails(first) === fails(result)) first.origins = [...(first.origins ?? []), result.id]
      if (first.scenario) result.scenario = first.scenario
    } else if (reduced) {
      firsts.set(reduced, result)
      if (reduced.certainty < CERTAIN) markAsFlaky(result, reduced)
      else await showLeast(context, result, reduced, options)
    }
    if (!hasFailed(result)) continue
    const { breaks, steps } = reduced?.plan ?? plan
    const remedies = breaks.map(({ trouble, point }) => remedyOf(trouble, point, steps[point.step]))
    result.expected ??= [...new Set(remedies)].join(' ')
  }
  return failing.filter((plan) => fails(resultOf(plan)) && !reductions.has(plan)).length
}

function showRun(result: CaseResult, { verdict, run: { steps, entries } }: Reduced): void {
  delete result.rule
  delete result.expected
  Object.assign(result, verdict, { steps, entries })
}

function markAsFlaky(result: CaseResult, reduced: Reduced): void {
  const { certainty, verdict } = reduced
  result.flaky = `${result.verdict} in ${certainty + 1} of ${CERTAIN + 1} runs: ${result.message}`
  // A failure that does not come again is shown, and fails nothing.
  if (certainty > 0 || hasFailed(verdict) || result.accepted !== undefined) return
  showRun(result, reduced)
}

/** Shows the fewest steps that fail alike, also as a scenario. */
async function showLeast(
  context: AuditContext,
  result: CaseResult,
  reduced: Reduced,
  { out, liberties, onNote }: Pick<SweepOptions, 'out' | 'liberties' | 'onNote'>,
): Promise<void> {
  const { plan } = reduced
  const [id, itself] = [idOf(plan), describeTrouble(plan)]
  result.trouble = id === result.id ? itself : `${itself} (the least that fails alike: ${id})`
  showRun(result, reduced)
  // No step of a scenario takes the liberties that may have made it fail.
  if (liberties || out === undefined) return
  const text = scenarioOf(context, result.id, reduced)
  if (text === undefined) return
  try {
    const { path, isWritten } = await writeScenario(out, result.id, text)
    if (isWritten) result.scenario = path
    else onNote?.(`${path} was not written by a sweep, so it is left alone`)
  } catch (error) {
    // The report tells what was found all the same.
    onNote?.(`a scenario cannot be written: ${(error as Error).message}`)
  }
}
