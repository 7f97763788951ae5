import { folded, painted, type TerminalStyle } from '../reports/terminal.js'
import { visible } from '../reports/visible.js'
import { type CaseResult, type FlowResult, fails, type SweepReport, type VerdictName, verdicts } from './report.js'
import type { SweepListing } from './sweep.js'
import { type TroubleName, troubleOf } from './troubles.js'

/** The columns of the narrowest terminal. */
const WIDTH = 80

/** The report in a terminal: a matrix a flow, the failures in words, the totals. sweep: "Report" */
export function reportText(report: SweepReport, style: TerminalStyle): string {
  const merged = new Set(report.flows.flatMap(({ cases }) => cases.flatMap(({ origins = [] }) => origins)))
  const failing = report.flows.flatMap(({ cases }) => cases).filter((each) => fails(each) && !merged.has(each.id))
  const unsteady = report.flows
    .flatMap(({ cases }) => cases)
    .flatMap((each) => (each.flaky === undefined || fails(each) ? [] : [`? ${each.id}: flaky, ${visible(each.flaky)}`]))
  const skipped = report.skipped.map(({ flow, reason }) =>
    painted(`- ${flow}: skipped, because ${visible(reason)}`, 'skip', style),
  )
  return [
    ...report.flows.flatMap((flow) => [...matrixLines(flow, style), '']),
    ...skipped,
    ...(skipped.length > 0 ? [''] : []),
    ...unsteady.map((line) => painted(folded(line, 2, style), 'skip', style)),
    ...(unsteady.length > 0 ? [''] : []),
    ...failing.flatMap((each) => [...failureLines(each, style), '']),
    totalsLine(report, style),
    '',
  ].join('\n')
}

function matrixLines({ flow, points, unstable, cases }: FlowResult, style: TerminalStyle): string[] {
  const parts = cases.map((each) => ({ ...each, ...partsOf(each.id) }))
  const troubles = [...new Set(parts.map(({ trouble }) => trouble))]
  const requests = troubles.filter((name) => troubleOf(name).at === 'request')
  const deliveries = troubles.filter((name) => troubleOf(name).at === 'delivery')
  const block = (columns: TroubleName[]) => {
    const rows = points.filter((point) => parts.some((each) => each.point === point && columns.includes(each.trouble)))
    if (rows.length === 0) return []
    const heads = columns.map((name) => troubleOf(name).head)
    const room = WIDTH - heads.reduce((sum, head) => sum + head.length + 1, 0)
    const width = Math.min(room, Math.max(flow.length, ...rows.map(({ length }) => length)))
    const row = (label: string, cells: string[]) =>
      `${shortened(label, width).padEnd(width)} ${cells.join(' ')}`.trimEnd()
    return [
      row('', heads),
      ...rows.map((point) =>
        row(
          visible(point),
          columns.map((name, index) => {
            const found = parts.find((each) => each.point === point && each.trouble === name)
            const sign = found ? verdicts[found.verdict].sign : ' '
            const cell = sign.padEnd(heads[index]?.length ?? 0)
            return found && fails(found) ? painted(cell, 'fail', style) : cell
          }),
        ),
      ),
    ]
  }
  const unsteady = unstable.length > 0 ? [`not in both undisturbed runs: ${unstable.map(visible).join(', ')}`] : []
  return [flow, ...block(deliveries), ...block(requests), ...unsteady]
}

const shortened = (text: string, width: number) => (text.length > width ? `…${text.slice(1 - width)}` : text)

function partsOf(id: string) {
  const [, point = '', trouble = ''] = id.split('/')
  return { point, trouble: trouble as TroubleName }
}

function failureLines(result: CaseResult, style: TerminalStyle): string[] {
  const { id, verdict, message, trouble, steps, expected, scenario, origins = [], flaky, accepted } = result
  const text = (label: string, value: string) => `  ${label.padEnd(9)} ${folded(visible(value), 12, style)}`
  const head = `${verdicts[verdict].sign} ${id}: ${flaky === undefined ? verdict : `${verdict}, flaky`}`
  if (verdicts[verdict].status === 'pass') {
    return [
      painted(head, 'fail', style),
      text('accepted', `as "${accepted}", but it is well now: remove it from "accept"`),
    ]
  }
  return [
    painted(head, 'fail', style),
    text('broken', `${trouble}.`),
    text('state', `${message}.`),
    ...(flaky === undefined ? [] : [text('flaky', flaky)]),
    ...steps.flatMap(({ step, seen, journal }) => [
      text('step', `${step}: ${seen}`),
      ...journal.map((line) => `            ${folded(visible(line), 14, style)}`),
    ]),
    ...(expected === undefined ? [] : [text('good app', expected)]),
    ...(origins.length === 0 ? [] : [text('also', origins.join(', '))]),
    text('again', scenario === undefined ? `mockademy sweep --only '${id}'` : `mockademy scenario run '${scenario}'`),
  ]
}

const words: Record<VerdictName, string> = {
  unharmed: 'unharmed',
  healed: 'healed',
  reinstalled: 'healed by a new installation',
  stranded: 'stranded',
  harmful: 'harmful',
  unbroken: 'not reached by the fault',
}

function totalsLine({ app, passed, ended, summary }: SweepReport, style: TerminalStyle): string {
  const names = Object.keys(words) as VerdictName[]
  const counts = names.flatMap((name) => (summary[name] > 0 ? [`${summary[name]} ${words[name]}`] : []))
  const verdict = painted(passed ? 'passed' : 'did not pass', passed ? 'pass' : 'fail', style)
  const early = ended === undefined ? '' : ` It ended early (${ended}).`
  return `The sweep of ${visible(app)} ${verdict}: ${summary.cases} cases, ${counts.join(', ')}; ${summary.runs} runs in ${summary.seconds} s.${early}`
}

/** The cases, as `--list` prints them. */
export const listingText = ({ flows, skipped }: SweepListing): string =>
  [
    ...flows.flatMap(({ cases }) => cases),
    ...flows.flatMap(({ flow, unstable }) => unstable.map((point) => `${flow}/${point}: not in both undisturbed runs`)),
    ...skipped.map(({ flow, reason }) => `${flow}: skipped, because ${reason}`),
    '',
  ].join('\n')
