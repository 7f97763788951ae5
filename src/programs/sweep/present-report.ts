import type { Again } from '../audit/present-report.js'
import type { Fact } from '../reports/report.js'
import { folded, painted, type TerminalStyle } from '../reports/terminal.js'
import { visible } from '../reports/visible.js'
import { type CaseResult, ends, type FlowResult, fails, type SweepReport, verdicts } from './report.js'
import { countVerdicts, factsOf, failuresIn, matrixOf, notesOn, pairsLine } from './results.js'
import type { SweepListing } from './sweep.js'
import { type TroubleName, troubleOf } from './troubles.js'

/** The columns of the narrowest terminal. */
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
