import { matchesPath } from '../../foundation/http/path-pattern.js'
import { realDuration } from '../../foundation/schema/duration-schema.js'
import { checkOptionNames } from '../../foundation/schema/options.js'
import { catalogue } from '../audit/checks/catalogue.js'
import type { AuditContext } from '../audit/context/context.js'
import { AuditFailure } from '../audit/context/failures.js'
import { readAuditFile } from '../audit/context/file.js'
import { inSavedWorld } from '../audit/in-saved-world.js'
import { eventsOf } from './actions.js'
import { type FlowName, flowNames, flowOf } from './flows.js'
import { createGate } from './gate.js'
import { inParallel } from './in-parallel.js'
import { optionNames, type SweepOptions } from './options.js'
import { breaksOf, type CasePlan, describeTrouble, idOf, restarts } from './plan.js'
import { nameOf, type Point } from './points.js'
import { CERTAIN, createReducer, type Reduced } from './reduce.js'
import { type CaseResult, type FlowResult, fails, reportOf, type SweepReport, verdicts } from './report.js'
import { runCase } from './run-case.js'
import { scenarioOf, writeScenario } from './scenario.js'
import { troubleOf } from './troubles.js'
import type { Calm } from './verdicts.js'

/** Runs side by side: most of their time is waiting. */
const AT_ONCE = 16
/** Undisturbed flows side by side, each twice: they show what the app does when nothing hurries it. */
const CALM_AT_ONCE = 2

/** A flow without trouble, and the cases that come from it. */
interface PlannedFlow {
  flow: FlowName
  points: Point[]
  unstable: string[]
  calm: Calm
  cases: { id: string; plan: CasePlan }[]
}

interface Plan {
  flows: PlannedFlow[]
  skipped: SweepReport['skipped']
}

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
      options.onProgress?.({ done: results.size, of: all.length, failing })
    })
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
  const { url, adminToken, signal = new AbortController().signal, onNote } = options
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
  return inSavedWorld({ kind: 'sweep', url, adminToken, file, folder, signal, onNote }, async (context) => {
    // They end with the world that is restored.
    if (options.liberties) await context.platform.admin.setLiberties({ seed: options.liberties })
    return work(context)
  })
}

/** Makes the undisturbed runs, of `install` and `uninstall` always. sweep: "Rules" 1 */
async function planOf(context: AuditContext, options: SweepOptions, onRun: () => void): Promise<Plan> {
  const { flow: named = [], only = [], skip = [], pairs = false, onNote } = options
  const isIn = (flow: FlowName) => only.length === 0 || only.some((glob) => matchesPath(glob.split('/')[0] ?? '', flow))
  const wanted = flowNames.filter((flow) => (named.length === 0 || named.includes(flow)) && isIn(flow))
  const reasons = new Map(flowNames.map((flow) => [flow, skipReason(flow, context)]))
  const runnable = flowNames.filter((flow) => reasons.get(flow) === undefined)
  const skipped = flowNames.flatMap((flow) => {
    const reason = reasons.get(flow)
    return reason !== undefined && wanted.includes(flow) ? [{ flow, reason }] : []
  })
  const isControl = (flow: FlowName) => flow === 'install' || flow === 'uninstall'
  // A stranger's tokens are there to be misused.
  const bystander = await context.platform.tenant()
  await bystander.install()
  const calm = new Map<FlowName, Omit<PlannedFlow, 'cases'>>()
  const run = async (flow: FlowName) => void calm.set(flow, await runCalm(context, flow, onRun))
  await inParallel(runnable.filter(isControl), CALM_AT_ONCE, run)
  const others = runnable.filter((flow) => !isControl(flow) && wanted.includes(flow))
  await inParallel(others, CALM_AT_ONCE, run)
  const chosen = runnable.filter((flow) => wanted.includes(flow))
  const canRestart = context.file.restart !== undefined
  const flows = chosen.map((flow): PlannedFlow => {
    const { points, ...rest } = calm.get(flow) as Omit<PlannedFlow, 'cases'>
    const stable = points.filter(
      (point, index) => !rest.unstable.includes(nameOf(point)) && !isAlike(point, points[index - 1], flow),
    )
    const cases = breaksOf({ flow, points: stable }, { canRestart, pairs }).map((breaks) => {
      const plan: CasePlan = { flow, steps: flowOf(flow).steps, points, breaks }
      return { id: idOf(plan), plan }
    })
    for (const id of Object.keys(context.file.accept)) {
      const isLeftOut = !id.startsWith(`${flow}/`) || (id.includes('+') && !pairs)
      if (!isLeftOut && !cases.some((each) => each.id === id)) onNote?.(`accept: ${id} is not a case of this app`)
    }
    return { ...rest, flow, points: stable, cases: selected(cases, options) }
  })
  const isNarrowed = only.length + skip.length > 0
  const left = flows.filter(({ cases }) => !isNarrowed || cases.length > 0)
  if (left.every(({ cases }) => cases.length === 0)) {
    const why = skipped.map(({ flow, reason }) => `; ${flow} is skipped, because ${reason}`)
    throw new AuditFailure(`there is no case to run${why.join('')}; --list lists them`)
  }
  return { flows: left, skipped }
}

/** Of requests that a burst sends side by side, the first shows what the others would. */
const isAlike = (point: Point, before: Point | undefined, flow: FlowName) =>
  flowOf(flow).steps[point.step] === 'burst' && before?.step === point.step && before.operation === point.operation

function selected<C extends { id: string }>(cases: C[], { only = [], skip = [] }: SweepOptions): C[] {
  const isIn = (globs: string[], id: string) => globs.some((glob) => matchesCase(glob, id))
  return cases.filter(({ id }) => (only.length === 0 || isIn(only, id)) && !isIn(skip, id))
}

/** `*` does not cross a `/`. */
function matchesCase(glob: string, id: string): boolean {
  const [patterns, parts] = [glob.split('/'), id.split('/')]
  return (
    patterns.length === parts.length && patterns.every((pattern, index) => matchesPath(pattern, parts[index] ?? ''))
  )
}

/** Names what a flow needs and is not there; undefined when it can run. */
function skipReason(flow: FlowName, { file, app }: Pick<AuditContext, 'file' | 'app'>): string | undefined {
  if (!app.parts.has('webhook')) return 'the manifest does not declare "webhook"'
  if (flow === 'sign-in' && !app.parts.has('oauth.authorize')) return 'the manifest does not declare "oauth.authorize"'
  const absent = flowOf(flow).needs.filter((need) =>
    need === 'events' ? eventsOf({ app }).length === 0 : file[need] === undefined,
  )
  if (absent.length === 0) return undefined
  return absent[0] === 'events'
    ? 'the manifest has no events of its own in "webhook.events"'
    : `the audit file does not declare ${absent.map((name) => `"${name}"`).join(' and ')}`
}

/** Runs a flow twice without trouble. @throws AuditFailure when it does not hold its own expectation. */
async function runCalm(context: AuditContext, flow: FlowName, onRun: () => void): Promise<Omit<PlannedFlow, 'cases'>> {
  const { steps, check } = flowOf(flow)
  const plan: CasePlan = { flow, steps, breaks: [], points: [] }
  const run = () => {
    onRun()
    return runCase(context, plan)
  }
  const [first, second] = await Promise.all([run(), run()])
  const failed = [first, second].find(({ held }) => held === undefined)
  if (failed) {
    throw new AuditFailure(
      `the flow "${flow}" does not work without any trouble (${failed.last.seen}); the audit's check ${check} explains why`,
    )
  }
  const names = [first, second].map(({ points }) => points.map(nameOf))
  const unstable = [...new Set(names.flat())].filter((name) => !names.every((each) => each.includes(name)))
  const rules = new Set([first, second].flatMap((run) => run.judged.findings.map(({ rule }) => rule)))
  return {
    flow,
    points: first.points,
    unstable,
    calm: { requests: Math.max(first.judged.requests, second.judged.requests), rules },
  }
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
    Object.assign(result, verdict, {
      trouble: describeTrouble(reduced.plan),
      steps: run.steps,
      entries: run.entries,
    })
    const text = scenarioOf(context, reduced.plan, run, verdict)
    if (text === undefined || out === undefined) continue
    const { path, isWritten } = await writeScenario(out, plan, text)
    if (isWritten) result.scenario = path
    else onNote?.(`${path} was not written by a sweep, so it is left alone`)
  }
}
