import { visible } from '../../reports/visible.js'
import type { AuditReport, CheckResult, Outcome } from '../report.js'

const marks: Record<Outcome, string> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  skip: '-',
  inconclusive: '?',
  accepted: '~',
}
const colours: Record<Outcome, number> = { pass: 32, fail: 31, warn: 33, skip: 90, inconclusive: 35, accepted: 36 }
const explained: ReadonlySet<Outcome> = new Set(['fail', 'warn', 'inconclusive', 'accepted'])

export interface TerminalStyle {
  colour: boolean
}

/** A check's line, and for what did not pass the review: what was sent, seen and expected, the rule, the way out. */
export function checkLines(result: CheckResult, { colour }: TerminalStyle): string {
  const { outcome, id, title, message, severity } = result
  const paint = (text: string, code: number) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
  const head = `${paint(marks[outcome], colours[outcome])} ${id.padEnd(30)} ${visible(title)}`
  if (outcome === 'pass') return `${head}\n`
  if (outcome === 'skip') return `${head}\n  ${paint(visible(`skipped: ${message}`), colours.skip)}\n`
  if (!explained.has(outcome)) return `${head}\n`
  const rows: [string, string | null][] = [
    [outcome === 'inconclusive' ? 'inconclusive' : severity, message],
    ['sent', result.sent],
    ['seen', result.seen],
    ['expected', result.expected],
    ['rule', result.source],
    ['fix', result.remedy],
    ['journal', result.entries.length > 0 ? entriesLine(result.entries) : null],
  ]
  const lines = rows.flatMap(([name, text]) =>
    text ? [`  ${paint(name.padEnd(12), colours[outcome])} ${visible(text)}`] : [],
  )
  return `${head}\n${lines.join('\n')}\n`
}

const entriesLine = (entries: number[]) => `${entries.join(', ')} (\`mockademy requests show ${entries[0]}\`)`

/** What it all comes to. */
export function summaryLine({ app, passed, summary }: AuditReport, { colour }: TerminalStyle): string {
  const counted = (Object.keys(marks) as Outcome[]).flatMap((outcome) =>
    summary[outcome] > 0 ? [`${summary[outcome]} ${words[outcome]}`] : [],
  )
  const verdict = passed ? 'passed' : 'did not pass'
  const painted = colour ? `\x1b[${passed ? 32 : 31};1m${verdict}\x1b[0m` : verdict
  return `\nThe audit of ${visible(app)} ${painted}: ${counted.join(', ')}\n`
}

const words: Record<Outcome, string> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'with a warning',
  skip: 'skipped',
  inconclusive: 'inconclusive',
  accepted: 'accepted',
}
