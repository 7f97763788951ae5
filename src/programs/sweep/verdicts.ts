import { capitalised } from '../reports/capitalised.js'
import type { Judged } from './organization-watch.js'
import { type CasePlan, needsReinstall } from './plan.js'
import type { VerdictName } from './report.js'
import type { CaseRun } from './run-case.js'

/** Requests of a case: this many times those of the undisturbed run, and some more. sweep: "One case" */
const MOST_TIMES = 3
const MORE = 10

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
  const stranding = `The app does not work again: ${run.last.seen}`
  const harms = harmsOf(run, calm)
  if (harms.length > 0) {
    const also = isStranded ? `; and it is stranded (${run.last.seen})` : ''
    const broken = newFindings(run, calm).map(({ rule, section }) => `${rule} (${section})`)
    const rule = broken.length > 0 ? { rule: broken.join(', ') } : {}
    return { verdict: 'harmful', message: `${capitalised(harms.join('; '))}${also}`, ...rule }
  }
  if (isStranded) {
    const anyway = needsReinstall(plan) ? ', also after a new installation' : ''
    return { verdict: 'stranded', message: `${stranding}${anyway}` }
  }
  if (run.reinstalled) return { verdict: 'reinstalled', message: 'The app works again once it is installed anew' }
  const isUnharmed = run.held === 0 && run.steps.every(({ holds }) => holds)
  if (isUnharmed) return { verdict: 'unharmed', message: 'The user sees nothing of it' }
  // Without the number of the try, which differs between two runs.
  return { verdict: 'healed', message: 'The app works again' }
}

const newFindings = ({ judged }: CaseRun, calm: Calm) => judged.findings.filter(({ rule }) => !calm.rules.has(rule))

function harmsOf(run: CaseRun, calm: Calm): string[] {
  const { requests } = run.judged
  const limit = calm.requests * MOST_TIMES + MORE
  const storm = `the app made ${requests} requests, and ${calm.requests} without the trouble`
  return [
    ...newFindings(run, calm).map(({ message }) => message.replace(/\.$/, '')),
    ...run.harms,
    ...(requests > limit ? [storm] : []),
  ]
}
