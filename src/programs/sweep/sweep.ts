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
import { inParallel } from './in-parallel.js'
import { optionNames, type SweepOptions } from './options.js'
import { nameOf, type Point } from './points.js'
import { CERTAIN, createReducer, type Reduced } from './reduce.js'
import { type CaseResult, type FlowResult, fails, reportOf, type SweepReport, verdicts } from './report.js'
import { type CasePlan, idOf, runCase } from './run-case.js'
import { scenarioOf, writeScenario } from './scenario.js'
import { troubleOf, troublesAt } from './troubles.js'
import { type Calm, describeTrouble } from './verdicts.js'

/** Cases side by side: most of their time is waiting. */
const AT_ONCE = 16
/** Failing cases that are reduced side by side, each with several runs at once. */
const REDUCED_AT_ONCE = 4
/** Undisturbed flows side by side: they show what the app does when nothing hurries it. */
const CALM_AT_ONCE = 3

/** Flows in which two troubles are tried. */
const PAIRED: FlowName[] = ['install', 'refresh']

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
  const { signal = new AbortController().signal, bail, out } = options
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
    const reducer = createReducer(context, ({ flow }) => calms.get(flow) as Calm, count)
    const all = interleaved(planned.flows.map(({ cases }) => cases))
    let failing = 0
    const mayBegin = () => {
      if (budget !== undefined && performance.now() - begun > budget) ended ??= 'budget'
      return ended === undefined
    }
    const runAll = (cases: typeof all, atOnce: number) =>
      inParallel(cases, atOnce, async ({ id, plan }) => {
        if (!mayBegin()) return
        const { run, verdict } = await reducer.runOnce(plan)
        const accepted = context.file.accept[id]
        const { steps, entries } = run
        const trouble = describeTrouble(plan)
        const result: CaseResult = {
          id,
          ...verdict,
          trouble,
          steps,
          entries,
          ...(accepted !== undefined && { accepted }),
        }
        results.set(id, result)
        if (fails(result)) failing++
        if (bail && failing > 0) ended ??= 'bail'
        options.onProgress?.({ done: results.size, of: all.length, failing })
      })
    await runAll(
      all.filter((each) => !restarts(each)),
      AT_ONCE,
    )
    await runAll(all.filter(restarts), 1)
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
    await reduceAll(context, reducer, reduced, results, out)
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
      flows: ended ? flows.filter(({ cases }) => cases.length > 0) : flows,
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
  const wanted = options.flow && options.flow.length > 0 ? options.flow : flowNames
  const reasons = new Map(flowNames.map((flow) => [flow, skipReason(flow, context)]))
  const runnable = flowNames.filter((flow) => reasons.get(flow) === undefined)
  const isControl = (flow: FlowName) => flow === 'install' || flow === 'uninstall'
  // A stranger's tokens are there to be misused.
  const bystander = await context.platform.tenant()
  await bystander.install()
  const calm = new Map<FlowName, Omit<PlannedFlow, 'cases'>>()
  const run = async (flow: FlowName) => void calm.set(flow, await runCalm(context, flow, onRun))
  for (const flow of runnable.filter(isControl)) await run(flow)
  const others = runnable.filter((flow) => !isControl(flow) && wanted.includes(flow))
  await inParallel(others, CALM_AT_ONCE, run)
  const chosen = runnable.filter((flow) => wanted.includes(flow))
  const canRestart = context.file.restart !== undefined
  const flows = chosen.map((flow): PlannedFlow => {
    const { points, ...rest } = calm.get(flow) as Omit<PlannedFlow, 'cases'>
    const stable = points.filter(
      (point, index) => !rest.unstable.includes(nameOf(point)) && !isAlike(point, points[index - 1], flow),
    )
    const breaks = stable.flatMap((point): Pick<CasePlan, 'point' | 'trouble' | 'also'>[] =>
      troublesAt(point, canRestart).map((trouble) => ({ point, trouble })),
    )
    const pairs = options.pairs && PAIRED.includes(flow) ? pairsOf(stable, canRestart) : []
    const cases = [...breaks, ...pairs].map((each): PlannedFlow['cases'][number] => {
      const plan = { flow, steps: flowOf(flow).steps, points, ...each }
      return { id: idOf(plan), plan }
    })
    return { ...rest, flow, points: stable, cases: selected(cases, options) }
  })
  const isNarrowed = (options.only?.length ?? 0) > 0
  const left = flows.filter(({ cases }) => !isNarrowed || cases.length > 0)
  if (left.every(({ cases }) => cases.length === 0)) {
    throw new AuditFailure('there is no case to run; --list lists them')
  }
  const skipped = flowNames.flatMap((flow) => {
    const reason = reasons.get(flow)
    return reason !== undefined && wanted.includes(flow) ? [{ flow, reason }] : []
  })
  return { flows: left, skipped }
}

/** Two troubles: the response to a request is lost, and then anything happens to a later one. sweep: "Points and troubles" */
function pairsOf(points: Point[], canRestart: boolean): Pick<CasePlan, 'point' | 'trouble' | 'also'>[] {
  const requests = points.filter(({ surface }) => surface !== 'webhook')
  const firsts = (['lost', 'crash-after'] as const).filter((trouble) => canRestart || trouble === 'lost')
  return requests.flatMap((point, index) =>
    firsts.flatMap((trouble) =>
      requests
        .slice(index + 1)
        .flatMap((later) =>
          troublesAt(later, false).map((other) => ({ point, trouble, also: { point: later, trouble: other } })),
        ),
    ),
  )
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
  const [first, second] = [await runCase(context, { flow, steps }), await runCase(context, { flow, steps })]
  onRun()
  onRun()
  for (const { held, last } of [first, second]) {
    if (held !== undefined) continue
    throw new AuditFailure(
      `the flow "${flow}" does not work without any trouble (${last.seen}); the audit's check ${check} explains why`,
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

/** A restart of the app must not meet other cases. */
const restarts = ({ plan }: { plan: CasePlan }) => troubleOf(plan.trouble).restarts === true

/** Reduces the failing cases; of those whose least steps are the same, the first stays and names the others. */
async function reduceAll(
  context: AuditContext,
  reducer: ReturnType<typeof createReducer>,
  all: { id: string; plan: CasePlan }[],
  results: Map<string, CaseResult>,
  out: string | undefined,
): Promise<void> {
  const failing = all.flatMap(({ id, plan }) => {
    const result = results.get(id)
    return result && verdicts[result.verdict].status === 'fail' ? [{ id, plan, result }] : []
  })
  const reductions = new Map<string, Reduced>()
  const reduce = async ({ id, plan, result }: (typeof failing)[number]) => {
    reductions.set(id, await reducer.reduce(plan, result))
  }
  await inParallel(
    failing.filter((each) => !restarts(each)),
    REDUCED_AT_ONCE,
    reduce,
  )
  await inParallel(failing.filter(restarts), 1, reduce)
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
    result.expected = troubleOf(plan.trouble).remedy
    if (certainty < CERTAIN) {
      const { verdict: first, message } = result
      result.flaky = `${first} in ${certainty + 1} of ${CERTAIN + 1} runs: ${message}`
      // What does not happen again is shown, and fails nothing.
      if (certainty === 0 && result.accepted === undefined && verdicts[verdict.verdict].status === 'pass')
        Object.assign(result, verdict)
      continue
    }
    Object.assign(result, verdict, {
      trouble: describeTrouble(reduced.plan),
      steps: run.steps,
      entries: run.entries,
    })
    const text = out === undefined ? undefined : scenarioOf(context, reduced.plan, run, verdict)
    if (text !== undefined && out !== undefined) {
      const path = await writeScenario(out, plan, text)
      if (path !== undefined) result.scenario = path
    }
  }
}
