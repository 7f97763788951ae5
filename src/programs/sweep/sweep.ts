import { access, constants, mkdir, rm } from 'node:fs/promises'
import { realDuration } from '../../foundation/schema/duration-schema.js'
import { checkArrays, checkOptionNames, checkUrl } from '../../foundation/schema/options.js'
import { AuditFailure } from '../audit/app/failures.js'
import { readAuditFile } from '../audit/app/file.js'
import { catalogue } from '../audit/checks/catalogue.js'
import type { AuditContext } from '../audit/context/context.js'
import { inSavedWorld, isAppListening } from '../audit/in-saved-world.js'
import { inParallel } from '../audit/timing/in-parallel.js'
import { type FlowName, flowNames } from './flows.js'
import { createGate } from './gate.js'
import { optionNames, type SweepOptions } from './options.js'
import { type CasePlan, describeTrouble } from './plan.js'
import { type Case, type Plan, planOf } from './plan-cases.js'
import { nameOf } from './points.js'
import { createReducer, type Reducer } from './reduce.js'
import { reduceAll } from './reduce-all.js'
import { type CaseResult, type FlowResult, fails, hasFailed, reportOf, type SweepReport, verdicts } from './report.js'
import { AT_ONCE, workOn } from './work-on.js'

/** Real milliseconds in which an app that a case ended may be started again by something that watches over it. */
const COMES_BACK = 5_000

/** The cases of a sweep, before any is run. */
export interface SweepListing {
  flows: { flow: FlowName; unstable: string[]; cases: string[] }[]
  skipped: SweepReport['skipped']
}

/** Makes the undisturbed runs. @returns the cases. @throws as `sweep`. */
export const listCases = (options: SweepOptions): Promise<SweepListing> =>
  withContext(options, async (context) => {
    const { flows, skipped } = await planOf(context, options, () => {})
    const listed = flows.map(({ flow, unstable, cases }) => ({ flow, unstable, cases: cases.map(({ id }) => id) }))
    return { flows: listed, skipped }
  })

/** A sweep under way: what is known of it when it is interrupted. */
interface Progress extends Pick<SweepReport, 'app' | 'seed' | 'ended' | 'endedBy' | 'unreduced'> {
  planned: Plan
  /** By the ids of the cases. */
  results: Map<string, CaseResult>
  runs: number
}

/**
 * Breaks each step of an app that runs, one at a time, and tells what does not heal. sweep: "Running it"
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, bad file, a flow that does not work
 *   without any trouble.
 * @throws InvalidOptionsError for options that do not exist or have invalid values.
 */
export async function sweep(options: SweepOptions): Promise<SweepReport> {
  checkOptionNames(options, Object.keys(optionNames))
  checkUrl(options.url)
  checkArrays(options, ['flow'])
  const { data: budget = Number.POSITIVE_INFINITY, error } = realDuration.optional().safeParse(options.budget)
  if (error) throw new AuditFailure(`budget: ${error.issues[0]?.message}`)
  if (options.out !== undefined) await mustBeWritable(options.out)
  const begun = performance.now()
  const elapsed = () => performance.now() - begun
  const progress: Progress = { app: '', planned: { flows: [], skipped: [] }, results: new Map(), runs: 0 }
  try {
    await withContext(options, (context) => sweepApp(context, options, progress, () => elapsed() > budget))
  } catch (error) {
    if (!options.signal?.aborted || progress.planned.flows.length === 0) throw error
    progress.ended = 'interrupted'
  }
  return reportOf(
    { ...progress, flows: flowResults(progress), skipped: progress.planned.skipped },
    {
      planned: progress.planned.flows.flatMap(({ cases }) => cases).length,
      runs: progress.runs,
      seconds: Math.round(elapsed() / 1000),
    },
  )
}

/** @throws AuditFailure for a folder that cannot be made, before a run takes minutes for it. */
async function mustBeWritable(folder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    if (made !== undefined) await rm(made, { recursive: true })
  } catch (error) {
    throw new AuditFailure(`out: ${(error as Error).message}`)
  }
}

function flowResults({ planned, results, ended }: Progress): FlowResult[] {
  const flows = planned.flows.map(({ flow, points, unstable, cases }) => ({
    flow,
    points: points.map(nameOf),
    unstable,
    cases: cases.flatMap(({ id }) => results.get(id) ?? []),
  }))
  // An interrupted run is no verdict on what it has not reached.
  return ended === 'interrupted' ? flows.filter(({ cases }) => cases.length > 0) : flows
}

/** @param isOver returns true when no further case may begin. */
async function sweepApp(context: AuditContext, options: SweepOptions, progress: Progress, isOver: () => boolean) {
  const { app, platform } = context
  progress.app = app.id
  progress.seed = (await platform.admin.world()).settings.seed as string | undefined
  const onRun = () => void progress.runs++
  progress.planned = await planOf(context, options, onRun)
  const { flows } = progress.planned
  const judgeCalm = ({ flow }: CasePlan) =>
    (flows.find((each) => each.flow === flow) as Plan['flows'][number]).judgeCalm()
  const gate = createGate(platform.admin, AT_ONCE)
  const reducer = createReducer(context, gate, judgeCalm, onRun, isOver)
  const cases = interleaved(flows.map((flow) => flow.cases))
  /** Cases whose app did not come to the trouble. */
  const missed = new Set<Case>()

  const runOne = async (each: Case) => {
    await gate.hasRoom()
    if (isOver()) progress.ended ??= 'budget'
    if (progress.ended) return
    const { run, result } = await resultOf(context, reducer, each)
    if (run.missed) missed.add(each)
    else missed.delete(each)
    progress.results.set(each.id, result)
    const failing = [...progress.results.values()].filter(fails).length
    if (options.bail && failing > 0) progress.ended ??= 'bail'
    if (progress.endedBy === undefined && hasFailed(result) && !(await isWell(context, reducer, each.plan))) {
      progress.ended = 'app-ended'
      progress.endedBy ??= each.id
    }
    options.onProgress?.({ done: progress.results.size, of: cases.length, failing })
  }
  await workOn(cases, runOne)
  // A queue that is worked off slowly keeps up with one case at a time; an app that is late even then is not tried further.
  for (const each of [...missed]) {
    reducer.forget(each.plan)
    await runOne(each)
    if (missed.has(each)) break
  }
  // Without the app, every run would fail.
  if (progress.ended === 'app-ended') return
  const late = await judgeLate(reducer, cases, progress.results)
  // A run by itself would be over before it shows what comes late.
  const reducible = cases.filter(({ id }) => !late.has(id))
  progress.unreduced = await reduceAll(context, reducer, reducible, progress.results, options)
  if (progress.unreduced > 0) progress.ended ??= 'budget'
}

/** Returns true when the app listens, or does so again soon, and the flow works for another organization. */
const isWell = async (context: AuditContext, reducer: Reducer, plan: CasePlan): Promise<boolean> =>
  (await context.until(() => isAppListening(context.app, context.file), Boolean, COMES_BACK)) && reducer.works(plan)

async function resultOf(context: AuditContext, reducer: Reducer, { id, plan }: Case) {
  const { run, verdict } = await reducer.runOnce(plan)
  const { steps, entries } = run
  const reason = context.file.accept[id]
  const accepted = reason === undefined ? {} : { accepted: reason }
  const result: CaseResult = { id, ...verdict, trouble: describeTrouble(plan), steps, entries, ...accepted }
  return { run, result }
}

/** Judges again the cases that went well, as harm may show late. @returns the ids of those that fail now. */
async function judgeLate(reducer: Reducer, cases: Case[], results: Map<string, CaseResult>): Promise<Set<string>> {
  const late = new Set<string>()
  await inParallel(cases, AT_ONCE, async ({ id, plan }) => {
    const result = results.get(id)
    if (!result || verdicts[result.verdict].status !== 'pass') return
    const verdict = await reducer.judgeAgain(plan)
    if (verdicts[verdict.verdict].status === 'pass') return
    late.add(id)
    Object.assign(result, verdict, { message: `${verdict.message} (seen late)` })
  })
  return late
}

async function withContext<T>(options: SweepOptions, work: (context: AuditContext) => Promise<T>): Promise<T> {
  const { url, adminToken, liberties, signal = new AbortController().signal, onNote } = options
  for (const flow of options.flow ?? []) {
    if (!flowNames.includes(flow as FlowName)) {
      throw new AuditFailure(`no flow is called ${JSON.stringify(flow)}; the flows are ${flowNames.join(', ')}`)
    }
  }
  const checks = catalogue.map(({ id }) => id)
  const { file, folder } = await readAuditFile(options.file, checks)
  if (!file.probe?.not_installed) {
    throw new AuditFailure(
      'The audit file needs `probe.not_installed`: without it, the sweep cannot tell a working app from one that always gives the same response',
    )
  }
  return inSavedWorld({ kind: 'sweep', url, adminToken, file, folder, liberties, signal, onNote }, work)
}

/** Turns lists into one that takes from each in turn, so that a short budget reaches every flow. */
function interleaved<T>(lists: T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat()
}
