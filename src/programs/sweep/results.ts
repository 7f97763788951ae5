import type { Again } from '../audit/present-report.js'
import type { JobSummary } from '../reports/github.js'
import type { Page, Section } from '../reports/markdown.js'
import { pluralize } from '../reports/pluralize.js'
import type { Fact, Report, Suite } from '../reports/report.js'
import { flowOf } from './flows.js'
import {
  type CaseResult,
  casesOf,
  ends,
  type FlowResult,
  fails,
  isBarren,
  repeatCommand,
  type SweepReport,
  shownFor,
  statusOf,
  verdictNames,
  verdicts,
} from './report.js'
import type { TroubleName } from './troubles.js'

/** `155 cases, 91 unharmed, …` */
export function countVerdicts({ summary }: SweepReport): string {
  const counts = verdictNames.flatMap((name) => (summary[name] > 0 ? [`${summary[name]} ${verdicts[name].words}`] : []))
  return [pluralize(summary.cases, 'case'), ...counts].join(', ')
}

/** Returns the cases that fail the sweep. Of those that fail for one reason, the first names the others. */
export function failuresIn(report: SweepReport): CaseResult[] {
  const cases = casesOf(report)
  return cases.filter((each) => fails(each) && shownFor(each, cases) === each)
}

/** Returns notes on flows that were left out or not broken, on flaky cases, and on accepted failures with their reasons. */
export function notesOn(report: SweepReport): string[] {
  const { summary, ended, endedBy, unreduced, skipped, flows } = report
  const early = `as the sweep ended early (${ended && ends[ended]})`
  const notes: string[] = []
  if (summary.planned > summary.cases) {
    notes.push(`not tried: ${summary.planned - summary.cases} of ${summary.planned} cases, ${early}`)
  }
  if (unreduced) notes.push(`not reduced: ${pluralize(unreduced, 'failing case')}, which may be flaky, ${early}`)
  if (ended === 'app-ended') {
    notes.push(
      `since ${endedBy}, the app has not worked for any organization. That case or one that ran beside it broke the app, so later failures prove nothing. Restart the app and run these cases one at a time`,
    )
  }
  for (const { flow, reason } of skipped) notes.push(`${flow}: skipped, because ${reason}`)
  for (const { flow, cases } of flows.filter(isBarren)) {
    const reason = cases.length > 0 ? 'no fault of its cases fired' : 'none of its cases was run'
    notes.push(`${flow}: failed, because ${reason}`)
  }
  for (const each of casesOf(report)) {
    if (each.flaky !== undefined && !fails(each)) notes.push(`flaky: ${each.id}: ${each.flaky}`)
    if (statusOf(each) === 'accepted') notes.push(`accepted: ${each.id} (${each.verdict}): ${each.accepted}`)
  }
  return notes
}

/** Everything that is known of a case, in the order in which it is read. sweep: "Report" */
export function factsOf(result: CaseResult, again: Again): Fact[] {
  const { verdict, message, trouble, steps, accepted } = result
  const { expected = '', rule = '', origins = [], flaky = '' } = result
  if (verdicts[verdict].status === 'pass' && fails(result)) {
    return [{ label: 'Accepted', text: `as "${accepted}", but it is well now: remove it from "accept"` }]
  }
  const facts: Fact[] = [
    { label: 'Broken', text: `${trouble}.` },
    { label: 'State', text: `${message}.` },
    { label: 'Flaky', text: flaky },
    ...steps.map(({ step, seen, journal }) => ({ label: 'Step', text: [`${step}: ${seen}`, ...journal].join('\n') })),
    { label: 'Good app', text: expected, isRule: true },
    { label: 'Rule', text: rule, isRule: true },
    { label: 'Also', text: origins.join(', ') },
    { label: 'Again', text: repeatCommand(result, again), isCommand: true },
  ]
  return facts.filter(({ text }) => text !== '')
}

/** Returns the report for programs: a suite a flow, a result a case. */
export function sweepResults({ app, flows, ended }: SweepReport, again: Again): Report {
  const suites = flows.map(
    ({ flow, cases }): Suite => ({
      name: flow,
      results: cases.map((each) => {
        const { id, verdict: type, message } = each
        const facts = fails(each) ? factsOf(each, again) : []
        return { group: `sweep.${flow}`, id, status: statusOf(each), type, message, facts }
      }),
    }),
  )
  if (ended !== undefined) {
    const message = `The sweep ended early (${ends[ended]}): what is not here was not tried`
    const result = { group: 'sweep', id: 'end', status: 'skip' as const, type: ended, message, facts: [] }
    suites.push({ name: 'end', results: [result] })
  }
  return { name: `sweep of ${app}`, suites }
}

/** Returns the keys of the audit's file that a case needs, for `placesIn`. */
export const needsOf = (report: SweepReport): { id: string; needs: readonly string[] }[] =>
  report.flows.flatMap(({ flow, cases }) => cases.map(({ id }) => ({ id, needs: flowOf(flow).needs })))

/** Returns the report for people: a matrix a flow, a section for each failure. */
export function sweepPage(report: SweepReport, again: Again): Page {
  const { app, passed, flows } = report
  const list = notesOn(report)
  return {
    title: `Sweep of ${app}: ${passed ? 'passed' : 'not passed'}`,
    summary: `${countVerdicts(report)}.`,
    sections: [
      ...flows.map(matrixSection),
      ...failuresIn(report).map(
        (each): Section => ({ title: `${each.id}: ${each.verdict}`, facts: factsOf(each, again) }),
      ),
      ...(list.length > 0 ? [{ title: 'Notes', list }] : []),
    ],
  }
}

function matrixSection({ flow, points, cases }: FlowResult): Section {
  const { troubles, caseAt } = matrixOf(cases)
  const signOf = (found: CaseResult | undefined) => (found ? verdicts[found.verdict].sign : '')
  const rows = points.map((point) => [`\`${point}\``, ...troubles.map((trouble) => signOf(caseAt(point, trouble)))])
  const text = pairsLine(cases)
  return { title: flow, ...(text !== undefined && { text }), table: { heads: ['', ...troubles], rows } }
}

/** Summary of a job on GitHub: the failures. */
export const sweepSummary = (report: SweepReport): JobSummary => ({
  title: `mockademy sweep of ${report.app}`,
  passed: report.passed,
  counts: countVerdicts(report),
  table: {
    heads: ['case', 'verdict', ''],
    rows: failuresIn(report).map(({ id, verdict, message, trouble }) => [id, verdict, `${trouble}. ${message}`]),
  },
})

/** Returns the troubles of the cases of one trouble, and such a case by its point. A matrix has no room for pairs. */
export function matrixOf(cases: CaseResult[]) {
  const singles = cases.filter((each) => !troubleIn(each).includes('+'))
  const troubles = [...new Set(singles.map(troubleIn))] as TroubleName[]
  const caseAt = (point: string, trouble: string) => singles.find(({ id }) => id.endsWith(`/${point}/${trouble}`))
  return { troubles, caseAt }
}

const troubleIn = ({ id }: CaseResult) => id.split('/').at(-1) ?? ''

/** Says how the cases of two troubles went; undefined where there are none. */
export function pairsLine(cases: CaseResult[]): string | undefined {
  const pairs = cases.filter(({ id }) => id.includes('+'))
  const failing = pairs.filter(fails).length
  return pairs.length > 0 ? `${pluralize(pairs.length, 'pair')} of troubles, ${failing || 'none'} failing` : undefined
}
