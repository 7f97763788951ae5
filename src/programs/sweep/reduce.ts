import { type AuditContext, createOnce } from '../audit/context/context.js'
import { inParallel } from '../audit/timing/in-parallel.js'
import type { ActionName } from './actions.js'
import { flowOf } from './flows.js'
import type { Judged } from './organization-watch.js'
import { type Break, type CasePlan, keyOf, restarts } from './plan.js'
import type { Point } from './points.js'
import type { CaseRun } from './run-case.js'
import type { Runner } from './runner.js'
import { troubleOf } from './troubles.js'
import { type Verdict, verdictOf } from './verdicts.js'

/** Runs that must fail alike before a case is certain. */
export const CERTAIN = 3

interface Tried {
  run: CaseRun
  verdict: Verdict
}

/** A failing case and the least that fails alike. sweep: "Reduction" */
export interface Reduced extends Tried {
  plan: CasePlan
  /** Runs of three that failed alike. */
  certainty: number
}

/** Real milliseconds for which a run is watched longer than one that failed took. */
const LONGER = 1_000

export type Reducer = ReturnType<typeof createReducer>

/** @param judgeCalm judges the undisturbed runs of the plan's flow. @param isOver returns true when nothing is to be reduced further. */
export function createReducer(
  context: Pick<AuditContext, 'wait'>,
  runner: Runner,
  judgeCalm: (plan: CasePlan) => Promise<Judged[]>,
  isOver: () => boolean,
) {
  const once = createOnce()

  const judge = async (plan: CasePlan, run: CaseRun) => verdictOf(plan, run, await judgeCalm(plan))

  const run = async (plan: CasePlan): Promise<Tried> => {
    const made = await runner.run(plan)
    return { run: made, verdict: await judge(plan, made) }
  }

  const judgeAgain = async (plan: CasePlan, { run }: Tried) => judge(plan, { ...run, judged: await run.judge() })

  /** Cases are equal whose steps, point and trouble are: each is run once, whichever case it comes from. */
  const nameOfRun = (plan: CasePlan) => `run ${keyOf(plan)}`
  const runOnce = (plan: CasePlan) => once(nameOfRun(plan), () => run(plan))

  const runCalm = ({ flow }: CasePlan, steps: readonly ActionName[]) =>
    runner.run({ flow, steps, breaks: [], points: [] })
  const runCalmOnce = (plan: CasePlan, steps: readonly ActionName[]) =>
    once(`calm ${[flowOf(plan.flow).expects, ...steps].join(' ')}`, () => runCalm(plan, steps))

  /** Returns true when fewer steps hold the expectation without trouble: else they lack one that it depends on. */
  const isSound = async (plan: CasePlan) => (await runCalmOnce(plan, plan.steps)).held !== undefined

  /** Returns the points of fewer steps: the first steps keep theirs, others are counted anew by running them. */
  async function pointsWith(plan: CasePlan, steps: readonly ActionName[]): Promise<readonly Point[]> {
    if (steps.every((step, index) => step === plan.steps[index])) return pointsBefore(steps.length, plan)
    return (await runCalmOnce(plan, steps)).points
  }

  /** Returns what is less than a case in one respect, the greatest step first. */
  async function smaller(plan: CasePlan): Promise<CasePlan[]> {
    const { steps, breaks } = plan
    const withBreak = (each: Break, other: Break) => ({ ...plan, breaks: breaks.with(breaks.indexOf(each), other) })
    const alone = breaks.length > 1 ? breaks.toReversed().map((each) => ({ ...plan, breaks: [each] })) : []
    const alternatives = [
      ...[...steps.keys()].map((index) => steps.toSpliced(index, 1)),
      steps.map((step) => (step === 'burst' ? 'probe' : step)),
    ].filter((fewer) => fewer.includes('install') && fewer.join() !== steps.join())
    const shorter = alternatives.map(async (fewer): Promise<CasePlan[]> => {
      const points = await pointsWith(plan, fewer)
      const moved = breaks.flatMap((each) => pointIn(points, each.point, plan) ?? [])
      // Of a pair, the first stays the first.
      const before = breaks.map(({ point }) => point)
      const isWhole = moved.length === breaks.length && inOrder(moved, points) === inOrder(before, plan.points)
      const left = breaks.map((each, index) => ({ ...each, point: moved[index] as Point }))
      const less = { ...plan, steps: fewer, points, breaks: left }
      return isWhole && (await isSound(less)) ? [less] : []
    })
    const weaker = breaks.flatMap((each) =>
      (troubleOf(each.trouble).weaker ?? []).map((trouble) => withBreak(each, { ...each, trouble })),
    )
    const earlier = breaks.flatMap((each) =>
      plan.points
        .filter((point) => isSame(point, each.point) && point.occurrence < each.point.occurrence)
        .filter((point) => !breaks.some((other) => other.point === point))
        .map((point) => withBreak(each, { ...each, point })),
    )
    return [...alone, ...(await Promise.all(shorter)).flat(), ...weaker, ...earlier]
  }

  async function shrink(plan: CasePlan, verdict: string): Promise<CasePlan> {
    if (isOver()) return plan
    const ended = endedByTrouble(plan)
    if (ended && (await runOnce(ended)).verdict.verdict === verdict && (await isSound(ended))) {
      return shrink(ended, verdict)
    }
    const candidates = await smaller(plan)
    await inParallel(candidates, atOnce(plan), async (candidate) => void (isOver() || (await runOnce(candidate))))
    if (isOver()) return plan
    const found = await Promise.all(candidates.map(runOnce))
    const least = candidates.find((_, index) => found[index]?.verdict.verdict === verdict)
    return least ? shrink(least, verdict) : plan
  }

  async function certain(plan: CasePlan, verdict: string): Promise<Reduced> {
    const again: Tried[] = []
    const runs = Array.from({ length: CERTAIN }, () => plan)
    const first = await runOnce(plan)
    await inParallel(runs, atOnce(plan), async (each) => {
      const tried = await run(each)
      again.push(tried)
      if (verdict !== 'harmful' || tried.verdict.verdict === verdict) return
      // A run that was over sooner has not shown yet what comes late.
      await context.wait(Math.max(0, duration(first) - duration(tried)) + LONGER)
      tried.verdict = await judgeAgain(each, tried)
    })
    const alike = again.filter((each) => each.verdict.verdict === verdict)
    return { plan, ...(alike[0] ?? (again[0] as Tried)), certainty: alike.length }
  }

  return {
    runOnce,
    forget: (plan: CasePlan) => once.forget(nameOfRun(plan)),
    /** Returns the verdict on a case that has run, by what is seen of its organization now. */
    judgeAgain: async (plan: CasePlan): Promise<Verdict> => judgeAgain(plan, await runOnce(plan)),
    /** Returns true when the flow of a case works for another organization, at the second run at the latest. */
    async works(plan: CasePlan): Promise<boolean> {
      const isHeld = async () => (await runCalm(plan, flowOf(plan.flow).steps)).held !== undefined
      return (await isHeld()) || isHeld()
    },
    /** Reduces a case that failed. @returns undefined when the time for it is over. */
    async reduce(plan: CasePlan, { verdict }: Verdict): Promise<Reduced | undefined> {
      for (const each of [await shrink(plan, verdict), plan]) {
        if (isOver()) break
        const reduced = await once(`${verdict} ${keyOf(each)}`, () => certain(each, verdict))
        if (reduced.certainty === CERTAIN || each === plan) return reduced
      }
      return undefined
    },
  }
}

/** Real milliseconds. */
const duration = ({ run: { judged } }: Tried) => judged.judgedAt - judged.begun

const atOnce = (plan: CasePlan) => (restarts(plan) ? 1 : Number.POSITIVE_INFINITY)

const pointsBefore = (index: number, { points }: Pick<CasePlan, 'points'>) => points.filter(({ step }) => step < index)

/** Returns a case without the steps after its troubles, which mostly show nothing more; undefined where there are none. */
function endedByTrouble(plan: CasePlan): CasePlan | undefined {
  const length = Math.max(...plan.breaks.map(({ point }) => point.step)) + 1
  if (length === plan.steps.length) return undefined
  return { ...plan, steps: plan.steps.slice(0, length), points: pointsBefore(length, plan) }
}

/** Returns true when the points of a pair are two and come as given. */
const inOrder = ([first, second]: Point[], all: readonly Point[]): boolean =>
  !first || !second || all.indexOf(first) < all.indexOf(second)

const isSame = (a: Point, b: Point) => a.operation === b.operation

/** Finds a point of a plan among those of fewer steps: as many of its kind come after it as before. */
function pointIn(points: readonly Point[], point: Point, plan: CasePlan): Point | undefined {
  const fromEnd = plan.points.filter((each) => isSame(each, point)).length - point.occurrence
  const same = points.filter((each) => isSame(each, point))
  return same[same.length - 1 - fromEnd] ?? same.at(-1)
}
