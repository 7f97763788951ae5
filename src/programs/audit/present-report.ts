import { capitalised } from '../reports/capitalised.js'
import type { Page, Section } from '../reports/markdown.js'
import { countStatuses, type Fact, type Report, type Result } from '../reports/report.js'
import { painted, resultLines, type TerminalStyle } from '../reports/terminal.js'
import { visible } from '../reports/visible.js'
import type { Check } from './checks/check.js'
import type { AuditReport, CheckResult } from './report.js'

/** The report for programs: one suite, a result for each check. audit: "JUnit" */
export function auditResults({ app, checks }: AuditReport): Report {
  const name = `audit of ${app}`
  return { name, suites: [{ name, results: checks.map(asResult) }] }
}

function asResult({ id, title, outcome: status, severity: type, message, ...check }: CheckResult): Result {
  return { group: `audit.${id.split('.')[0]}`, id, title, status, type, message, facts: factsOf(check) }
}

const factsOf = (check: Pick<CheckResult, 'sent' | 'seen' | 'expected' | 'source' | 'remedy' | 'entries'>): Fact[] => [
  ...(check.sent ? [{ label: 'Sent', text: check.sent, isCode: true }] : []),
  ...(check.seen ? [{ label: 'Seen', text: check.seen, isCode: true }] : []),
  { label: 'Expected', text: check.expected },
  { label: 'Rule', text: check.source },
  { label: 'Fix', text: check.remedy },
  ...(check.entries.length > 0
    ? [
        {
          label: 'Journal entries',
          text: check.entries.join(', '),
          command: `mockademy requests show ${check.entries[0]}`,
        },
      ]
    : []),
]

/** The report for people: a table of all checks, a section for each that did not pass, and what was skipped. */
export function auditPage({ app, passed, summary, checks }: AuditReport): Page {
  const counts = Object.entries(summary).flatMap(([outcome, count]) => (count > 0 ? [`${count} ${outcome}`] : []))
  const rows = checks.map(({ outcome, severity, id, title }) => [outcome, severity, `\`${id}\``, title])
  const skipped = checks.filter(({ outcome }) => outcome === 'skip')
  const list = skipped.map(({ id, message }) => `\`${id}\`: ${message}`)
  return {
    title: `Audit of ${app}: ${passed ? 'passed' : 'not passed'}`,
    summary: `${counts.join(' · ')}.`,
    sections: [
      { table: { heads: ['outcome', 'severity', 'check', ''], rows } },
      ...checks.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skip').map(review),
      ...(list.length > 0 ? [{ title: 'Skipped', list }] : []),
    ],
  }
}

const review = ({ id, title, outcome, severity, message, ...check }: CheckResult): Section => ({
  title: `${id}: ${outcome} (${severity})`,
  text: `${capitalised(title)}. ${message}.`.replace('..', '.'),
  facts: factsOf(check),
})

/** The lines of a check in a terminal; all facts when it did not pass. */
export function checkLines(check: CheckResult, style: TerminalStyle): string {
  const { id, title, outcome, severity } = check
  const lead = outcome === 'inconclusive' ? outcome : severity
  return `${resultLines(asResult(check), `${id.padEnd(30)} ${title}`, lead, style).join('\n')}\n`
}

/** The last line of an audit in a terminal. */
export function summaryLine({ app, passed, checks }: AuditReport, style: TerminalStyle): string {
  const verdict = passed ? painted('passed', 'pass', style) : painted('did not pass', 'fail', style)
  return `\nThe audit of ${visible(app)} ${verdict}: ${countStatuses(checks.map(({ outcome }) => outcome))}\n`
}

/** The catalogue as `--list` prints it. audit: "Catalogue" */
export function listingOf(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ id }) => id.length))
  const lines = checks.map(
    ({ id, severity, title, needs }) =>
      `${id.padEnd(width)}  ${severity.padEnd(8)}  ${title}  [needs ${needs.join(', ') || 'nothing'}]`,
  )
  return `${lines.join('\n')}\n`
}
