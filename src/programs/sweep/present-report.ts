import type { Again } from '../audit/present-report.js'
import type { JobSummary } from '../reports/github.js'
import type { Page, Section } from '../reports/markdown.js'
import { pluralize } from '../reports/pluralize.js'
import type { Fact, Report, Suite } from '../reports/report.js'
import { folded, painted, type TerminalStyle } from '../reports/terminal.js'
import { visible } from '../reports/visible.js'
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
import type { SweepListing } from './sweep.js'
import { type TroubleName, troubleOf } from './troubles.js'

/** `155 cases, 91 unharmed, …` */
function countVerdicts({ summary }: SweepReport): string {
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
  if (ended === 'restart-failed') notes.push(`${endedBy}: mend the command, and run the sweep again`)
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
function factsOf(result: CaseResult, again: Again): Fact[] {
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
function matrixOf(cases: CaseResult[]) {
  const singles = cases.filter((each) => !troubleIn(each).includes('+'))
  const troubles = [...new Set(singles.map(troubleIn))] as TroubleName[]
  const caseAt = (point: string, trouble: string) => singles.find(({ id }) => id.endsWith(`/${point}/${trouble}`))
  return { troubles, caseAt }
}

const troubleIn = ({ id }: CaseResult) => id.split('/').at(-1) ?? ''

/** Says how the cases of two troubles went; undefined where there are none. */
function pairsLine(cases: CaseResult[]): string | undefined {
  const pairs = cases.filter(({ id }) => id.includes('+'))
  const failing = pairs.filter(fails).length
  return pairs.length > 0 ? `${pluralize(pairs.length, 'pair')} of troubles, ${failing || 'none'} failing` : undefined
}

const WIDTH = 80

/** Returns the report in a terminal: a matrix a flow, the failures in words, the totals. sweep: "Report" */
export function reportText(report: SweepReport, again: Again, style: TerminalStyle): string {
  const notes = notesOn(report).map((note) => painted(`- ${folded(visible(note), 2, style)}`, 'skip', style))
  return [
    ...report.flows.flatMap((flow) => [...matrixLines(flow, style), '']),
    ...(notes.length > 0 ? [...notes, ''] : []),
    ...failuresIn(report).flatMap((each) => [...failureLines(each, again, style), '']),
    totalsLine(report, style),
    '',
  ].join('\n')
}

function matrixLines({ flow, points, unstable, cases }: FlowResult, style: TerminalStyle): string[] {
  const { troubles, caseAt } = matrixOf(cases)
  const of = (kind: (trouble: ReturnType<typeof troubleOf>) => boolean) =>
    troubles.filter((name) => kind(troubleOf(name)))
  const blocks = [
    of(({ at }) => at === 'delivery'),
    of(({ at, restarts }) => at === 'request' && !restarts),
    of(({ at, restarts }) => at === 'request' && restarts === true),
  ]
  const block = (columns: TroubleName[]) => {
    const rows = points.filter((point) => columns.some((name) => caseAt(point, name)))
    if (rows.length === 0) return []
    const room = WIDTH - columns.reduce((sum, name) => sum + name.length + 1, 0)
    const width = Math.min(room, Math.max(flow.length, ...rows.map(({ length }) => length)))
    const row = (label: string, cells: string[]) =>
      `${shortened(label, width).padEnd(width)} ${cells.join(' ')}`.trimEnd()
    const cellAt = (point: string) => (name: TroubleName) => {
      const found = caseAt(point, name)
      const cell = (found ? verdicts[found.verdict].sign : '').padEnd(name.length)
      return found && fails(found) ? painted(cell, 'fail', style) : cell
    }
    return [row('', columns), ...rows.map((point) => row(visible(point), columns.map(cellAt(point))))]
  }
  const unsteady = unstable.length > 0 ? [`not in both undisturbed runs: ${unstable.map(visible).join(', ')}`] : []
  return [flow, ...blocks.flatMap(block), ...unsteady, ...[pairsLine(cases) ?? []].flat()]
}

const shortened = (text: string, width: number) => (text.length > width ? `…${text.slice(1 - width)}` : text)

function failureLines(result: CaseResult, again: Again, style: TerminalStyle): string[] {
  const { id, verdict, flaky } = result
  const head = `${verdicts[verdict].sign} ${id}: ${flaky === undefined ? verdict : `${verdict}, flaky`}`
  return [painted(head, 'fail', style), ...factsOf(result, again).flatMap((fact) => factLines(fact, style))]
}

/** Returns a label and a text; the journal's lines of a step below it. */
function factLines({ label = '', text, isCommand }: Fact, style: TerminalStyle): string[] {
  const [first = '', ...rest] = text.split('\n').map(visible)
  return [
    `  ${label.toLowerCase().padEnd(9)} ${isCommand ? first : folded(first, 12, style)}`,
    ...rest.map((line) => `            ${folded(line, 14, style)}`),
  ]
}

function totalsLine(report: SweepReport, style: TerminalStyle): string {
  const { app, passed, ended, seed, summary } = report
  const words = passed ? 'passed' : ended === 'interrupted' ? 'was interrupted' : 'did not pass'
  const verdict = painted(words, passed ? 'pass' : 'fail', style)
  const early = ended === undefined || ended === 'interrupted' ? '' : ` It ended early (${ends[ended]}).`
  const seeded = seed === undefined ? '' : `, seed ${visible(seed)}`
  return `The sweep of ${visible(app)} ${verdict}: ${countVerdicts(report)}; ${summary.runs} runs in ${summary.seconds} s${seeded}.${early}`
}

/** Returns the cases, as `--list` prints them. */
export const listingText = ({ flows, skipped }: SweepListing): string =>
  [
    ...flows.flatMap(({ cases }) => cases),
    ...flows.flatMap(({ flow, unstable }) => unstable.map((point) => `${flow}/${point}: not in both undisturbed runs`)),
    ...skipped.map(({ flow, reason }) => `${flow}: skipped, because ${reason}`),
    '',
  ].join('\n')
