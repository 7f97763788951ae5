import { capitalised } from '../reports/capitalised.js'
import type { Judged } from './organization-watch.js'
import { type CasePlan, needsReinstall } from './plan.js'
import type { VerdictName } from './report.js'
import type { CaseRun } from './run-case.js'

/** Requests of a case: this many times those of the undisturbed run, and some more. sweep: "One case" */
const MOST_TIMES = 3
const MORE = 10
/** A stranded app breaks it only where its tries are slow: it allows requests for some seconds after an uninstall. */
const DEPENDS_ON_PACE = 'call_after_uninstall'

export interface Verdict {
  verdict: VerdictName
  /** Without a full stop at its end. */
  message: string
  /** The rule that is broken, and its section. */
  rule?: string
}

/** Without trouble: the requests of a flow, and the rules that it breaks. */
export interface Calm {
  requests: number
  rules: Set<string>
}

/** @param judged of the undisturbed runs of a flow. */
export const calmOf = (judged: Judged[]): Calm => ({
  requests: Math.max(...judged.map(({ requests }) => requests)),
  rules: new Set(judged.flatMap(({ findings }) => findings.map(({ rule }) => rule))),
})

/** sweep: "One case" */
export function verdictOf(plan: CasePlan, run: CaseRun, calm: Calm): Verdict {
  if (!run.fired) {
    const why = run.missed
      ? `The step "${run.missed.step}" failed before it (${run.missed.seen})`
      : 'The app took another way'
    return { verdict: 'unbroken', message: `${why}, so the fault did not fire` }
  }
  const isStranded = run.held === undefined && !run.reinstalled
  const { requests } = run.judged
  const findings = run.judged.findings.filter(
    ({ rule }) => !calm.rules.has(rule) && !(isStranded && rule === DEPENDS_ON_PACE),
  )
  const storm = `the app made ${requests} requests, and ${calm.requests} without the trouble`
  const harms = [
    ...findings.map(({ message }) => message.replace(/\.$/, '')),
    ...run.harms,
    ...(requests > calm.requests * MOST_TIMES + MORE ? [storm] : []),
  ]
  if (harms.length > 0) {
    const also = isStranded ? `; and it is stranded (${run.last.seen})` : ''
    const rule = findings.map((each) => `${each.rule} (${each.section})`).join(', ')
    return { verdict: 'harmful', message: `${capitalised(harms.join('; '))}${also}`, ...(rule && { rule }) }
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
