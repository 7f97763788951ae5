import { access, constants, mkdir, rm } from 'node:fs/promises'
import { checkOptions, checkUrl } from '../../foundation/schema/options.js'
import { durationOption } from '../../foundation/schema/schema-words.js'
import { AuditFailure, Inconclusive } from '../audit/app/failures.js'
import { readAuditFile } from '../audit/app/file.js'
import { catalog } from '../audit/checks/catalog.js'
import type { AuditContext } from '../audit/context/context.js'
import { inSavedWorld, isAppListening } from '../audit/in-saved-world.js'
import { inParallel } from '../audit/timing/in-parallel.js'
import { type FlowName, flowNames } from './flows.js'
import { optionKinds, type SweepOptions } from './options.js'
import { type CasePlan, describeTrouble, idOf } from './plan.js'
import { type Plan, planOf } from './plan-cases.js'
import { nameOf } from './points.js'
import { createReducer, type Reducer } from './reduce.js'
import { reduceAll } from './reduce-all.js'
import {
  type CaseResult,
  fails,
  hasFailed,
  isBarren,
  type SweepReport,
  type VerdictName,
  verdictNames,
  verdicts,
} from './report.js'
import { AT_ONCE, createRunner, workOn } from './runner.js'

/** Real milliseconds in which an app that a case ended may be started again by something that watches over it. */
const COMES_BACK = 5_000

export type SweepListing = Awaited<ReturnType<typeof listCases>>

/** Makes the undisturbed runs. @returns the cases. @throws as `sweep`. */
export const listCases = (options: SweepOptions) =>
  withContext(options, async (context) => {
    const { flows, skipped } = await planOf(context, options, createRunner(context, { runs: 0 }))
    const listed = flows.map(({ flow, unstable, cases }) => ({ flow, unstable, cases: cases.map(idOf) }))
    return { flows: listed, skipped }
  })

/** A sweep under way: what is known of it when it is interrupted. */
interface Progress extends Pick<SweepReport, 'app' | 'seed' | 'ended' | 'endedBy' | 'unreduced'> {
  planned: Plan
  results: Map<string, CaseResult>
  runs: number
}

/**
 * Injects one fault at a time into each step of a running app, and reports what does not recover. sweep: "Running it"
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app or flow, bad file, a glob that matches
 *   no case, a restart that fails before any case was judged, a folder that cannot be written, a flow that does not work without any trouble.
 * @throws InvalidOptionsError for options that do not exist or have another type.
 */
export async function sweep(options: SweepOptions): Promise<SweepReport> {
  checkOptions(options, optionKinds)
  checkUrl(options.url)
  const budget = durationOption('budget', options.budget) ?? Number.POSITIVE_INFINITY
  if (options.out !== undefined) await mustBeWritable(options.out)
  const begun = performance.now()
  const elapsed = () => performance.now() - begun
  const progress: Progress = { app: '', planned: { flows: [], skipped: [] }, results: new Map(), runs: 0 }
  try {
    await withContext(options, (context) => sweepApp(context, options, progress, () => elapsed() > budget))
  } catch (error) {
    const isRestart = error instanceof AuditFailure && error.cause instanceof Inconclusive && progress.results.size > 0
    if (options.signal?.aborted && progress.planned.flows.length > 0) progress.ended = 'interrupted'
    else if (isRestart) Object.assign(progress, { ended: 'restart-failed', endedBy: error.message })
    else throw error
  }
  return reportOf(progress, Math.round(elapsed() / 1000))
}

/** @throws AuditFailure for a folder that cannot be made, before a run takes minutes for it. */
async function mustBeWritable(folder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    if (made !== undefined) await rm(made, { recursive: true })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new AuditFailure(`out: ${code === 'EEXIST' ? `${folder} is a file; name a folder` : message}`)
  }
}

function reportOf({ app, seed, planned, results, runs, ...end }: Progress, seconds: number): SweepReport {
  const all = planned.flows.map(({ flow, points, unstable, cases }) => ({
    flow,
    points: points.map(nameOf),
    unstable,
    cases: cases.flatMap((plan) => results.get(idOf(plan)) ?? []),
  }))
  // A run that was ended is no verdict on what it has not reached.
  const isCut = end.ended === 'interrupted' || end.ended === 'restart-failed'
  const flows = isCut ? all.filter(({ cases }) => cases.length > 0) : all
  const cases = flows.flatMap((flow) => flow.cases)
  const counts = verdictNames.map((name) => [name, cases.filter(({ verdict }) => verdict === name).length])
  return {
    app,
    passed: !cases.some(fails) && !flows.some(isBarren) && !isCut,
    seed,
    ...end,
    flows,
    skipped: planned.skipped,
    summary: {
      ...(Object.fromEntries(counts) as Record<VerdictName, number>),
      cases: cases.length,
      planned: planned.flows.flatMap((flow) => flow.cases).length,
      runs,
      seconds,
    },
  }
}

/** @param isOver returns true when no further case may begin. */
async function sweepApp(context: AuditContext, options: SweepOptions, progress: Progress, isOver: () => boolean) {
  const { app, file, platform } = context
  const { results } = progress
  progress.app = app.id
  progress.seed = (await platform.admin.world()).settings.seed
  const runner = createRunner(context, progress)
  progress.planned = await planOf(context, options, runner)
  const { flows } = progress.planned
  const judgeCalm = ({ flow }: CasePlan) =>
    (flows.find((each) => each.flow === flow) as Plan['flows'][number]).judgeCalm()
  const reducer = createReducer(context, runner, judgeCalm, isOver)
  const cases = interleaved(flows.map((flow) => flow.cases))
  /** Cases whose app did not come to the trouble. */
  const missed = new Set<CasePlan>()

  const runOne = async (plan: CasePlan) => {
    await runner.hasRoom()
    if (isOver()) progress.ended ??= 'budget'
    if (progress.ended) return
    const { run, verdict } = await reducer.runOnce(plan)
    if (run.missed) missed.add(plan)
    else missed.delete(plan)
    const id = idOf(plan)
    const { steps, entries } = run
    const trouble = describeTrouble(plan)
    const result: CaseResult = { id, ...verdict, trouble, steps, entries, accepted: file.accept[id] }
    results.set(id, result)
    const failing = [...results.values()].filter(fails).length
    if (options.bail && failing > 0) progress.ended ??= 'bail'
    if (progress.endedBy === undefined && hasFailed(result) && !(await isWell(context, reducer, plan))) {
      progress.ended = 'app-ended'
      progress.endedBy ??= id
    }
    options.onProgress?.({ done: results.size, of: cases.length, failing })
  }
  await workOn(cases, runOne)
  // A queue that is worked off slowly keeps up with one case at a time; an app that is late even then is not tried further.
  for (const plan of [...missed]) {
    reducer.forget(plan)
    await runOne(plan)
    if (missed.has(plan)) break
  }
  // Without the app, every run would fail.
  if (progress.ended === 'app-ended') return
  const late = await judgeLate(reducer, cases, results)
  // A run by itself would be over before it shows what comes late.
  const reducible = cases.filter((plan) => !late.has(plan))
  const unreduced = await reduceAll(context, reducer, reducible, results, options)
  if (unreduced === 0) return
  progress.unreduced = unreduced
  progress.ended ??= 'budget'
}

/** Returns true when the app listens, or does so again soon, and the flow works for another organization. */
const isWell = async (context: AuditContext, reducer: Reducer, plan: CasePlan): Promise<boolean> =>
  (await context.until(() => isAppListening(context), Boolean, COMES_BACK)) && reducer.works(plan)

/** Judges again the cases that went well, as harm may show late. @returns those that fail now. */
async function judgeLate(reducer: Reducer, cases: CasePlan[], results: Map<string, CaseResult>) {
  const late = new Set<CasePlan>()
  await inParallel(cases, AT_ONCE, async (plan) => {
    const result = results.get(idOf(plan))
    if (!result || verdicts[result.verdict].status !== 'pass') return
    const verdict = await reducer.judgeAgain(plan)
    if (verdicts[verdict.verdict].status === 'pass') return
    late.add(plan)
    Object.assign(result, verdict, { message: `${verdict.message} (seen late)` })
  })
  return late
}

async function withContext<T>(options: SweepOptions, work: (context: AuditContext) => Promise<T>): Promise<T> {
  for (const flow of options.flow ?? []) {
    if (!flowNames.includes(flow as FlowName)) {
      throw new AuditFailure(`no flow is called ${JSON.stringify(flow)}; the flows are ${flowNames.join(', ')}`)
    }
  }
  const checks = catalog.map(({ id }) => id)
  const { file, folder } = await readAuditFile(options.file, checks, options.folder)
  if (!file.probe?.not_installed) {
    throw new AuditFailure(
      'The audit file needs `probe.not_installed`: without it, the sweep cannot tell a working app from one that always gives the same response',
    )
  }
  return inSavedWorld({ ...options, kind: 'sweep', file, folder }, work)
}

/** Turns lists into one that takes from each in turn, so that a short budget reaches every flow. */
const interleaved = <T>(lists: T[][]): T[] =>
  lists
    .flatMap((list) => [...list.entries()])
    .toSorted(([a], [b]) => a - b)
    .map(([, each]) => each)
