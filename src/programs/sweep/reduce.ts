import type { AuditContext } from '../audit/context/context.js'
import { type ActionName, flowOf } from './flows.js'
import { inParallel } from './in-parallel.js'
import type { Point } from './points.js'
import { type CasePlan, type CaseRun, idOf, runCase } from './run-case.js'
import { troubleOf } from './troubles.js'
import { type Calm, type Verdict, verdictOf } from './verdicts.js'

/** Runs that must fail alike before a case is certain. */
export const CERTAIN = 3

/** A failing case and the least that fails alike. sweep: "Reduction" */
export interface Reduced {
  plan: CasePlan
  run: CaseRun
  verdict: Verdict
  /** How many of three runs failed alike. */
  certainty: number
}

interface Tried {
  run: CaseRun
  verdict: Verdict
}

/** @param runs counts each run of a case. */
export function createReducer(context: AuditContext, calmOf: (plan: CasePlan) => Calm, onRun: () => void) {
  /** Cases are equal whose steps, point and trouble are: each is run once, whichever case it comes from. */
  const tried = new Map<string, Promise<Tried>>()
  const reductions = new Map<string, Promise<Reduced>>()
  const calmPoints = new Map<string, Promise<Point[]>>()

  const run = async (plan: CasePlan): Promise<Tried> => {
    onRun()
    const { flow, steps } = plan
    const result = await runCase(context, { flow, steps, trouble: plan })
    return { run: result, verdict: verdictOf(plan, result, calmOf(plan)) }
  }
  const runOnce = (plan: CasePlan) => remembered(tried, keyOf(plan), () => run(plan))

  /** Returns the points of fewer steps: those of the steps that are left, counted anew by running them. */
  const pointsWith = (plan: CasePlan, steps: readonly ActionName[]) =>
    remembered(calmPoints, [plan.flow, ...steps].join(' '), async () => {
      onRun()
      return (await runCase(context, { flow: plan.flow, steps })).points
    })

  /** Returns what is less than a case in one respect, the greatest step first. */
  async function smaller({ also, ...plan }: CasePlan): Promise<CasePlan[]> {
    if (also) return [{ ...plan, ...also }, plan]
    const isSame = ({ operation }: Point) => operation === plan.point.operation
    const fromEnd = plan.points.filter(isSame).length - plan.point.occurrence
    const alternatives = [
      ...[...plan.steps.keys()].map((index) => plan.steps.toSpliced(index, 1)),
      plan.steps.map((step) => (step === 'burst' ? 'probe' : step)),
    ].filter((steps) => steps.length > 0 && steps.join() !== plan.steps.join())
    const shorter = alternatives.map(async (steps): Promise<CasePlan[]> => {
      const points = await pointsWith(plan, steps)
      const same = points.filter(isSame)
      // As many come after it as before.
      const point = same[same.length - 1 - fromEnd] ?? same.at(-1)
      return point ? [{ ...plan, steps, points, point }] : []
    })
    const weaker = (troubleOf(plan.trouble).weaker ?? []).map((trouble) => ({ ...plan, trouble }))
    const earlier = plan.points.filter((point) => isSame(point) && point.occurrence < plan.point.occurrence)
    return [...(await Promise.all(shorter)).flat(), ...weaker, ...earlier.map((point) => ({ ...plan, point }))]
  }

  async function shrink(plan: CasePlan, verdict: string): Promise<CasePlan> {
    const candidates = await smaller(plan)
    await inParallel(candidates, atOnce(plan), async (candidate) => void (await runOnce(candidate)))
    const found = await Promise.all(candidates.map(runOnce))
    const least = candidates.find((_, index) => found[index]?.verdict.verdict === verdict)
    return least ? shrink(least, verdict) : plan
  }

  async function certain(plan: CasePlan, verdict: string): Promise<Reduced> {
    const again: Tried[] = []
    const runs = Array.from({ length: CERTAIN }, () => plan)
    await inParallel(runs, atOnce(plan), async (each) => void again.push(await run(each)))
    const alike = again.filter((each) => each.verdict.verdict === verdict)
    return { plan, ...(alike[0] ?? (again[0] as Tried)), certainty: alike.length }
  }

  return {
    runOnce,
    /** Returns the verdict on a case that has run, by what is seen of its organization now. */
    async judgeAgain(plan: CasePlan): Promise<Verdict> {
      const { run } = await runOnce(plan)
      return verdictOf(plan, { ...run, judged: await run.judge() }, calmOf(plan))
    },
    /** Reduces a case that failed. */
    async reduce(plan: CasePlan, { verdict }: Verdict): Promise<Reduced> {
      const least = await shrink(plan, verdict)
      const key = `${keyOf(least)} ${verdict}`
      const reduced = await remembered(reductions, key, () => certain(least, verdict))
      if (reduced.certainty === CERTAIN || least === plan) return reduced
      return remembered(reductions, `${keyOf(plan)} ${verdict}`, () => certain(plan, verdict))
    },
  }
}

/** A restart of the app must not meet other cases. */
const atOnce = ({ trouble }: CasePlan) => (troubleOf(trouble).restarts ? 1 : Number.POSITIVE_INFINITY)

/** Returns what makes a case: two that have it in common are one. */
export const keyOf = (plan: CasePlan) =>
  [flowOf(plan.flow).expects, ...plan.steps, idOf(plan).replace(/^[^/]+/, '')].join(' ')

function remembered<T>(memory: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = memory.get(key) ?? make()
  memory.set(key, known)
  return known
}
