import { realDuration } from '../../foundation/schema/duration-schema.js'
import { checkOptionNames } from '../../foundation/schema/options.js'
import { catalogue } from '../audit/checks/catalogue.js'
import type { AuditContext } from '../audit/context/context.js'
import { AuditFailure } from '../audit/context/failures.js'
import { readAuditFile } from '../audit/context/file.js'
import { inParallel } from '../audit/context/in-parallel.js'
import { inSavedWorld, isAppListening } from '../audit/in-saved-world.js'
import { type FlowName, flowNames } from './flows.js'
import { createGate } from './gate.js'
import { optionNames, type SweepOptions } from './options.js'
import { type CasePlan, describeTrouble, restarts } from './plan.js'
import { type Plan, planOf } from './plan-cases.js'
import { nameOf } from './points.js'
import { CERTAIN, createReducer, type Reduced } from './reduce.js'
import { type CaseResult, type FlowResult, fails, reportOf, type SweepReport, verdicts } from './report.js'
import { scenarioOf, writeScenario } from './scenario.js'
import { troubleOf } from './troubles.js'
import type { Calm } from './verdicts.js'

/** Runs side by side: most of their time is waiting. */
const AT_ONCE = 16
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

/**
 * Breaks each step of an app that runs, one at a time, and tells what does not heal. sweep: "Running it"
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, bad file, a flow that does not work
 *   without any trouble.
 * @throws InvalidOptionsError for options that do not exist.
 */
export async function sweep(options: SweepOptions): Promise<SweepReport> {
  const { signal = new AbortController().signal, bail } = options
  const { data: budget, error } = realDuration.optional().safeParse(options.budget)
  if (error) throw new AuditFailure(`budget: ${error.issues[0]?.message}`)
  const begun = performance.now()
  let runs = 0
  let ended: SweepReport['ended']
  const results = new Map<string, CaseResult>()
  let planned: Plan = { flows: [], skipped: [] }
  let app = ''
  let seed: string | undefined

  const work = async (context: AuditContext) => {
    app = context.app.id
    const { settings } = await context.platform.admin.world()
    seed = settings.seed as string | undefined
    const count = () => void runs++
    planned = await planOf(context, options, count)
    const calms = new Map(planned.flows.map(({ flow, calm }) => [flow, calm]))
    const gate = createGate(context.platform.admin, AT_ONCE)
    const reducer = createReducer(context, gate, ({ flow }) => calms.get(flow) as Calm, count)
    const all = interleaved(planned.flows.map(({ cases }) => cases))
    let failing = 0
    const mayBegin = () => {
      if (budget !== undefined && performance.now() - begun > budget) ended ??= 'budget'
      return ended === undefined
    }
    await workOn(all, async ({ id, plan }) => {
      await gate.hasRoom()
      if (!mayBegin()) return
      const { run, verdict } = await reducer.runOnce(plan)
      const accepted = context.file.accept[id]
      const { steps, entries } = run
      const trouble = describeTrouble(plan)
      const result = { id, ...verdict, trouble, steps, entries, ...(accepted !== undefined && { accepted }) }
      results.set(id, result)
      if (fails(result)) failing++
      if (bail && failing > 0) ended ??= 'bail'
      if (verdicts[result.verdict].status === 'fail') {
        const isThere = () => isAppListening(context.app, context.file)
        if (!(await context.until(isThere, Boolean, COMES_BACK))) ended = 'app-ended'
      }
      options.onProgress?.({ done: results.size, of: all.length, failing })
    })
    // What fails now fails for want of the app.
    if (ended === 'app-ended') return
    const late = new Set<string>()
    await inParallel(all, AT_ONCE, async ({ id, plan }) => {
      const result = results.get(id)
      if (!result || verdicts[result.verdict].status !== 'pass') return
      const verdict = await reducer.judgeAgain(plan)
      if (verdicts[verdict.verdict].status === 'pass') return
      late.add(id)
      Object.assign(result, verdict, { message: `${verdict.message} (seen late)` })
    })
    // A run by itself would be over before it shows what comes late.
    const reduced = all.filter(({ id }) => !late.has(id))
    await reduceAll(context, reducer, reduced, results, options)
  }

  try {
    await withContext(options, work)
  } catch (error) {
    if (!signal.aborted || planned.flows.length === 0) throw error
    ended = 'interrupted'
  }
  const flows = planned.flows.map(
    ({ flow, points, unstable, cases }): FlowResult => ({
      flow,
      points: points.map(nameOf),
      unstable,
      cases: cases.flatMap(({ id }) => results.get(id) ?? []),
    }),
  )
  const seconds = Math.round((performance.now() - begun) / 1000)
  return reportOf(
    {
      app,
      ...(seed !== undefined && { seed }),
      // An interrupted run is no verdict on what it has not reached.
      flows: ended === 'interrupted' ? flows.filter(({ cases }) => cases.length > 0) : flows,
      skipped: planned.skipped,
      ended,
    },
    { runs, seconds },
  )
}

async function withContext<T>(options: SweepOptions, work: (context: AuditContext) => Promise<T>): Promise<T> {
  const { url, adminToken, liberties, signal = new AbortController().signal, onNote } = options
  checkOptionNames(options, Object.keys(optionNames))
  for (const flow of options.flow ?? []) {
    if (!flowNames.includes(flow as FlowName)) {
      throw new AuditFailure(`no flow is called ${JSON.stringify(flow)}; the flows are ${flowNames.join(', ')}`)
    }
  }
  const checks = catalogue.map(({ id }) => id)
  const { file, folder } = await readAuditFile(options.file, checks)
  if (!file.probe?.not_installed) {
    throw new AuditFailure(
      'probe.not_installed: is needed, because nothing is concluded from an app that always answers the same',
    )
  }
  return inSavedWorld({ kind: 'sweep', url, adminToken, file, folder, liberties, signal, onNote }, work)
}

/** Turns lists into one that takes from each in turn, so that a short budget reaches every flow. */
function interleaved<T>(lists: T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat()
}

/** Works on cases side by side, then on those that restart the app, which must not meet others. */
async function workOn<C extends { plan: CasePlan }>(cases: C[], work: (each: C) => Promise<void>) {
  for (const isApart of [false, true]) {
    const some = cases.filter(({ plan }) => restarts(plan) === isApart)
    await inParallel(some, isApart ? 1 : AT_ONCE, work)
  }
}

/** Reduces the failing cases; of those whose least steps are the same, the first stays and names the others. */
async function reduceAll(
  context: AuditContext,
  reducer: ReturnType<typeof createReducer>,
  all: { id: string; plan: CasePlan }[],
  results: Map<string, CaseResult>,
  { out, onNote }: Pick<SweepOptions, 'out' | 'onNote'>,
): Promise<void> {
  const failing = all.flatMap(({ id, plan }) => {
    const result = results.get(id)
    return result && verdicts[result.verdict].status === 'fail' ? [{ id, plan, result }] : []
  })
  const reductions = new Map<string, Reduced>()
  const reduce = async ({ id, plan, result }: (typeof failing)[number]) => {
    reductions.set(id, await reducer.reduce(plan, result))
  }
  await workOn(failing, reduce)
  const firsts = new Map<Reduced, CaseResult>()
  for (const { id, plan, result } of failing) {
    const reduced = reductions.get(id) as Reduced
    const first = firsts.get(reduced)
    if (first) {
      first.origins = [...(first.origins ?? []), id]
      continue
    }
    firsts.set(reduced, result)
    const { run, verdict, certainty } = reduced
    result.expected = [...new Set(reduced.plan.breaks.map(({ trouble }) => troubleOf(trouble).remedy))].join(' ')
    if (certainty < CERTAIN) {
      const { verdict: first, message } = result
      result.flaky = `${first} in ${certainty + 1} of ${CERTAIN + 1} runs: ${message}`
      // A failure that does not come again is shown, and fails nothing.
      const isGone = certainty === 0 && verdicts[verdict.verdict].status !== 'fail'
      if (isGone && result.accepted === undefined) Object.assign(result, verdict)
      continue
    }
    Object.assign(result, verdict, { trouble: describeTrouble(reduced.plan), steps: run.steps, entries: run.entries })
    const text = scenarioOf(context, reduced.plan, run, verdict)
    if (text === undefined || out === undefined) continue
    const { path, isWritten } = await writeScenario(out, plan, text)
    if (isWritten) result.scenario = path
    else onNote?.(`${path} was not written by a sweep, so it is left alone`)
  }
}
