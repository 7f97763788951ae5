import { rules } from '../../control/findings/rules.js'
import { capitalized } from '../reports/capitalized.js'
import type { Judged } from './organization-watch.js'
import { type CasePlan, needsReinstall } from './plan.js'
import type { CaseResult } from './report.js'
import { type CaseRun, lostRefreshRules } from './run-case.js'

/** Requests of a case: this many times those of the undisturbed run, and some more. sweep: "One case" */
const MAX_TIMES = 3
const MORE = 10
/** A stranded app breaks it only where its tries are slow: it allows requests for some seconds after an uninstall. */
const DEPENDS_ON_PACE = 'call_after_uninstall'

/** `message` has no full stop at its end. */
export type Verdict = Pick<CaseResult, 'verdict' | 'message' | 'rule' | 'expected'>

/** sweep: "One case" @param calm the undisturbed runs of the flow, judged after the run. */
export function verdictOf(plan: CasePlan, run: CaseRun, calm: Judged[]): Verdict {
  if (!run.fired) {
    const why = run.missed
      ? `The step "${run.missed.step}" failed before it (${run.missed.seen})`
      : 'The app took another way'
    return { verdict: 'unbroken', message: `${why}, so the fault did not fire` }
  }
  const isStranded = run.held === undefined && !run.reinstalled
  const { judged } = run
  const usual = new Set(calm.flatMap(({ findings }) => findings.map(({ rule }) => rule)))
  const excused = run.reinstalled ? lostRefreshRules : isStranded ? [DEPENDS_ON_PACE] : []
  const findings = judged.findings.filter(({ rule }) => !usual.has(rule) && !excused.includes(rule))
  const advice = findings.map(({ rule }) => rules[rule].explanation)
  const messages = findings.map(({ message }, index) => message.replace(` ${advice[index]}`, '').replace(/\.$/, ''))
  const harms = [...messages, ...run.harms, ...stormsIn(judged, calm)]
  if (harms.length > 0) {
    const also = isStranded ? `; and it is stranded (${run.last.seen})` : ''
    const rule = findings.map((each) => `${each.rule} (${each.section})`).join(', ')
    const message = `${capitalized(harms.join('; '))}${also}`
    return { verdict: 'harmful', message, ...(rule && { rule, expected: advice.join(' ') }) }
  }
  if (isStranded) {
    const anyway = needsReinstall(plan) ? ', also after a new installation' : ''
    return { verdict: 'stranded', message: `The app does not work again: ${run.last.seen}${anyway}` }
  }
  if (run.reinstalled) return { verdict: 'reinstalled', message: 'The app works again once it is installed anew' }
  const isUnharmed = run.held === 0 && run.steps.every(({ holds }) => holds)
  if (isUnharmed) return { verdict: 'unharmed', message: 'The user sees nothing of it' }
  // Without the number of the try, which differs between two runs.
  return { verdict: 'healed', message: 'The app works again' }
}

/**
 * Returns the requests that the app made for an undisturbed organization up to the age that a case has, or for the flow
 * and during the case: it may have a schedule for each organization, or one for all.
 */
function usualRequests(calm: Judged, { begun, judgedAt }: Judged): number {
  const between = (from: number, to: number) => calm.requests.filter((at) => at >= from && at <= to).length
  const sameAge = between(calm.begun, calm.begun + judgedAt - begun)
  return Math.max(sameAge, calm.ofFlow + between(begun, judgedAt))
}

function stormsIn(judged: Judged, calm: Judged[]): string[] {
  const { length } = judged.requests
  const usual = Math.max(...calm.map((each) => usualRequests(each, judged)))
  const isStorm = length > usual * MAX_TIMES + MORE
  return isStorm ? [`the app made ${length} requests, and ${usual} without the trouble`] : []
}
