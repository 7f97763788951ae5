import { matchesPath } from '../../foundation/http/path-pattern.js'
import { silenceAt } from '../audit/app/app-requests.js'
import { AuditFailure } from '../audit/app/failures.js'
import type { AuditContext } from '../audit/context/context.js'
import { isSelected, matchesId, skipReason } from '../audit/run-checks.js'
import { inParallel } from '../audit/timing/in-parallel.js'
import { eventsOf } from './actions.js'
import { type FlowName, flowNames, flowOf } from './flows.js'
import type { SweepOptions } from './options.js'
import { breaksOf, type CasePlan, idOf } from './plan.js'
import { nameOf, type Point } from './points.js'
import type { SweepReport } from './report.js'
import type { Runner } from './runner.js'

/** Undisturbed flows side by side, each twice: they show what the app does when nothing hurries it. */
const CALM_AT_ONCE = 2

type CalmFlow = Awaited<ReturnType<typeof runCalm>>

export interface Plan {
  flows: (Omit<CalmFlow, 'failure' | 'seen' | 'status'> & { cases: CasePlan[] })[]
  skipped: SweepReport['skipped']
}

/** Makes the undisturbed runs, of `install` and `uninstall` always. sweep: "Rules" 1 */
export async function planOf(context: AuditContext, options: SweepOptions, runner: Runner): Promise<Plan> {
  const { flow: named = [], only = [], skip = [], onNote } = options
  // Only the id of a pair has a +.
  const pairs = options.pairs || only.some((glob) => glob.includes('+'))
  const isIn = (flow: FlowName) => only.length === 0 || only.some((glob) => isOf(flow, glob))
  const wanted = flowNames.filter((flow) => (named.length === 0 || named.includes(flow)) && isIn(flow))
  const runnable = flowNames.filter((flow) => reasonToSkip(flow, context) === undefined)
  const chosen = runnable.filter((flow) => wanted.includes(flow))
  const skipped = wanted.flatMap((flow) => {
    const reason = reasonToSkip(flow, context)
    return reason === undefined ? [] : [{ flow, reason }]
  })
  const isControl = (flow: FlowName) => flow === 'install' || flow === 'uninstall'
  const inOrder = [...runnable.filter(isControl), ...chosen.filter((flow) => !isControl(flow))]
  // A stranger's tokens are there to be misused.
  const bystander = await context.platform.tenant()
  await bystander.install()
  const calm = new Map<FlowName, CalmFlow>()
  await inParallel(inOrder, CALM_AT_ONCE, async (flow) => {
    calm.set(flow, await runCalm(context, runner, flow, wanted.includes(flow)))
  })
  const planned = chosen.map((flow) => calm.get(flow) as CalmFlow)
  rejectUnknown([...only, ...skip], planned)
  const canRestart = context.file.restart !== undefined
  const flows = planned.map(({ points, seen: _, failure, status, ...rest }) => {
    const { flow } = rest
    if (failure !== undefined) onNote?.(failure)
    const stable = points.filter(
      (point, index) => !rest.unstable.includes(nameOf(point)) && !isAlike(point, points[index - 1], flow),
    )
    const { steps } = flowOf(flow)
    const all = breaksOf({ flow, points: stable }, { canRestart, pairs })
    const cases = all.map((breaks): CasePlan => ({ flow, steps, points, breaks, status }))
    for (const id of Object.keys(context.file.accept)) {
      const isLeftOut = !id.startsWith(`${flow}/`) || (id.includes('+') && !pairs)
      if (!isLeftOut && !cases.some((each) => idOf(each) === id)) onNote?.(`accept: ${id} is not a case of this app`)
    }
    return { ...rest, points: stable, cases: cases.filter((plan) => isSelected(idOf(plan), only, skip)) }
  })
  const isNarrowed = only.length + skip.length > 0
  const left = flows.filter(({ cases }) => !isNarrowed || cases.length > 0)
  if (left.every(({ cases }) => cases.length === 0)) {
    const why = skipped.map(({ flow, reason }) => `; ${flow} is skipped, because ${reason}`)
    throw new AuditFailure(`there is no case to run${why.join('')}; mockademy sweep --list lists them`)
  }
  return { flows: left, skipped }
}

const isOf = (flow: FlowName, glob: string) => matchesPath(glob.split('/')[0] ?? '', flow)

/**
 * A typo must not pass for a passed sweep. Not judged are the cases of flows that are left out; those of pairs, of restarts
 * and of points that only one run had may be there the next time. @throws AuditFailure for a glob that matches no case.
 */
function rejectUnknown(globs: string[], calm: CalmFlow[]): void {
  const isLeftOut = (glob: string) =>
    flowNames.some((name) => isOf(name, glob) && !calm.some(({ flow }) => flow === name))
  const ids = calm.flatMap(({ flow, seen }) =>
    breaksOf({ flow, points: seen }, { canRestart: true, pairs: true }).map((breaks) => idOf({ flow, breaks })),
  )
  const unknown = globs.find((glob) => !isLeftOut(glob) && !ids.some((id) => matchesId(glob, id)))
  if (unknown === undefined) return
  throw new AuditFailure(`there is no case ${JSON.stringify(unknown)}; see mockademy sweep --list`)
}

/** Returns true for the second and later requests of a burst, which would show the same as the first. */
const isAlike = (point: Point, before: Point | undefined, flow: FlowName) =>
  flowOf(flow).steps[point.step] === 'burst' && before?.step === point.step && before.operation === point.operation

/** Names what a flow needs and is not there; undefined when it can run. */
function reasonToSkip(flow: FlowName, context: AuditContext): string | undefined {
  const { needs, steps } = flowOf(flow)
  const lacksEvents = steps.includes('event') && eventsOf(context).length === 0
  return (
    skipReason({ needs: ['webhook', ...needs] }, context) ??
    (lacksEvents ? 'the manifest has no events of its own in "webhook.events"' : undefined)
  )
}

/**
 * Runs a flow without trouble: twice where its points are wanted, since two runs show which are unstable.
 * @throws AuditFailure when it does not hold its own expectation.
 */
async function runCalm({ baseUrl }: AuditContext, { run }: Runner, flow: FlowName, isWanted: boolean) {
  const { steps, check, lastCheck = check } = flowOf(flow)
  const plan: CasePlan = { flow, steps, breaks: [], points: [] }
  const runs = await Promise.all((isWanted ? [plan, plan] : [plan]).map(run))
  const failed = runs.find(({ held }) => held === undefined)
  const failing = runs.flatMap((each) => each.steps).find(({ holds }) => !holds)
  const isRejected = failing?.step === 'install'
  const isLast = runs.some((each) => each.steps.at(-1) === failing)
  const explanation = `the audit's check ${isRejected ? 'webhook.accepts' : isLast ? lastCheck : check} explains why`
  if (failed) {
    const isSilent = !isRejected && failing?.step !== 'event' && failed.judged.requests.length === 0
    const silence = isSilent ? `: ${silenceAt(baseUrl)}; otherwise` : ';'
    throw new AuditFailure(
      `the flow "${flow}" does not work without any trouble (${failed.last.seen})${silence} ${explanation}`,
    )
  }
  const names = runs.map(({ points }) => points.map(nameOf))
  const unstable = [...new Set(names.flat())].filter((name) => !names.every((each) => each.includes(name)))
  return {
    flow,
    points: runs[0]?.points ?? [],
    seen: runs.flatMap(({ points }) => points),
    status: runs[0]?.last.exchanges[0]?.status,
    unstable,
    /** Names the first step that failed: for it alone, no case of the flow is unharmed. */
    failure: failing && `${flow}: the step "${failing.step}" fails without trouble (${failing.seen}); ${explanation}`,
    judgeCalm: () => Promise.all(runs.map(({ judge }) => judge())),
  }
}
