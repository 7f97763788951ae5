import { capitalized } from '../reports/capitalized.js'
import type { JobSummary } from '../reports/github.js'
import type { Page, Section } from '../reports/markdown.js'
import { countStatuses, type Fact, type Report, type Result, type Status, statuses } from '../reports/report.js'
import { folded, painted, type TerminalStyle } from '../reports/terminal.js'
import { visible } from '../reports/visible.js'
import { type Check, severities } from './checks/check.js'
import type { AuditReport, CheckResult, Outcome } from './report.js'

/** Returns the report for programs: one suite, a result for each check. audit: "JUnit" */
export function auditResults({ app, checks }: AuditReport, again: Again): Report {
  const name = `audit of ${app}`
  const results = checks.map((check): Result => {
    const { id, title, outcome: status, severity: type, message } = check
    return { group: `audit.${id.split('.')[0]}`, id, title, status, type, message, facts: factsOf(check, again) }
  })
  return { name, suites: [{ name, results }] }
}

/** Commands to run after this one. */
export interface Again {
  /** The command of this run, without the choice of checks or cases. */
  run: string
  /** The flag with which other commands reach the emulator, after a blank; empty where they need none. */
  reach: string
  /** The emulator ends with the run of `exec` that this one is part of, so that no command reaches it later. */
  isEnding?: boolean
}

function factsOf({ id, sent, seen, expected, source, remedy, docs, entries }: CheckResult, again: Again): Fact[] {
  const { run, reach, isEnding } = again
  const journal = entries.length > 0 && isEnding ? ' (in the report of the run: exec --report-on-failure)' : ''
  const command = isEnding ? undefined : `mockademy requests show ${entries[0]}${reach}`
  const facts: Fact[] = [
    { label: 'Sent', text: sent ?? '', isCode: true, isCommand: true },
    { label: 'Seen', text: seen ?? '', isCode: true },
    { label: 'Expected', text: expected, isRule: true },
    { label: 'Rule', text: source, isRule: true },
    { label: 'Fix', text: remedy, isRule: true },
    { label: 'Example', text: docs },
    { label: 'Journal entries', text: entries.join(', ') + journal, command },
    { label: 'Again', text: `${run} --only ${id}`, isCommand: true },
  ]
  return facts.filter(({ text }) => text !== '')
}

/** Returns the report for people: a table of all checks, a section for each that did not pass, and what was skipped. */
export function auditPage({ app, passed, summary, checks }: AuditReport, again: Again): Page {
  const counts = Object.entries(summary).flatMap(([outcome, count]) => (count > 0 ? [`${count} ${outcome}`] : []))
  const rows = checks.map(({ outcome, severity, id, title }) => [outcome, severity, `\`${id}\``, title])
  const list = idsByMessage(checks, 'skip').map(
    ([cause, ids]) => `${cause}: ${ids.map((id) => `\`${id}\``).join(', ')}`,
  )
  return {
    title: `Audit of ${app}: ${passed ? 'passed' : 'not passed'}`,
    summary: `${counts.join(' · ')}.`,
    sections: [
      { table: { heads: ['outcome', 'severity', 'check', ''], rows } },
      ...checks.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skip').map((check) => review(check, again)),
      ...(list.length > 0 ? [{ title: 'Skipped', list }] : []),
    ],
  }
}

const review = (check: CheckResult, again: Again): Section => ({
  title: `${check.id}: ${check.outcome} (${check.severity})`,
  text: `${capitalized(check.title)}. ${check.message}.`.replace(/\.\.$/, '.'),
  facts: factsOf(check, again),
})

const LABEL = 17

/** Returns the lines of a check in a terminal; all facts when it did not pass, none when it was skipped: `endLines` has those. */
export function checkLines(check: CheckResult, again: Again, style: TerminalStyle): string {
  const { id, title, outcome, severity, message } = check
  if (outcome === 'skip') return ''
  const mark = painted(statuses[outcome].mark, outcome, style)
  const head = `${mark} ${folded(visible(`${id.padEnd(30)} ${title}`), 2, style)}`
  const lead = outcome === 'inconclusive' ? outcome : severity
  const rows = outcome === 'pass' ? [] : [{ label: lead, text: message }, ...factsOf(check, again)]
  return `${[head, ...rows.flatMap((row) => rowLines(row, outcome, style))].join('\n')}\n`
}

/** Returns a label and its text, a line for each of the text's own. A command to paste is not folded. */
function rowLines({ label = '', text, isCommand, command }: Fact, outcome: Status, style: TerminalStyle) {
  const lines = text.split('\n').map(visible)
  const shown = isCommand ? lines : lines.map((line) => folded(line, LABEL + 1, style))
  if (command) shown.push(visible(command))
  const first = painted(label.toLowerCase().padEnd(LABEL - 2), outcome, style)
  return `  ${first} ${shown.join(`\n${' '.repeat(LABEL + 1)}`)}`
}

function idsByMessage(checks: CheckResult[], of: Outcome): [message: string, ids: string[]][] {
  const byMessage = new Map<string, string[]>()
  for (const { id, outcome, message } of checks) {
    if (outcome === of) byMessage.set(message, [...(byMessage.get(message) ?? []), id])
  }
  return [...byMessage]
}

/** Returns the failures that are not accepted, the worst first. */
const failed = (checks: CheckResult[]): CheckResult[] =>
  severities.flatMap((severity) =>
    checks.filter((check) => check.severity === severity && ['fail', 'warn'].includes(check.outcome)),
  )

/**
 * Returns the end of an audit in a terminal: what was skipped, by cause; what failed once more, the worst first; what was
 * inconclusive, by cause; the result.
 */
export function endLines({ app, passed, checks }: AuditReport, style: TerminalStyle): string {
  const skips = idsByMessage(checks, 'skip').map(([cause, ids]) =>
    painted(`- ${folded(visible(`${ids.length} skipped. ${cause}: ${ids.join(', ')}`), 2, style)}`, 'skip', style),
  )
  const lineOf = (outcome: Outcome, lead: string, text: string) =>
    `${painted(statuses[outcome].mark, outcome, style)} ${lead.padEnd(12)} ${folded(visible(text), 15, style)}`
  const notPassed = [
    ...failed(checks).map(({ id, severity, outcome, message }) => lineOf(outcome, severity, `${id}: ${message}`)),
    ...idsByMessage(checks, 'inconclusive').map(([message, ids]) =>
      lineOf('inconclusive', 'inconclusive', `${ids.join(', ')}: ${message}`),
    ),
  ]
  const verdict = passed ? painted('passed', 'pass', style) : painted('did not pass', 'fail', style)
  const last = `The audit of ${visible(app)} ${verdict}: ${countStatuses(checks.map(({ outcome }) => outcome))}`
  return [...skips, ...(notPassed.length > 0 ? ['', ...notPassed] : []), '', last, ''].join('\n')
}

/** Summary of a job on GitHub: the checks that did not pass, the worst first. */
export const auditSummary = ({ app, passed, checks }: AuditReport): JobSummary => ({
  title: `mockademy audit of ${app}`,
  passed,
  counts: countStatuses(checks.map(({ outcome }) => outcome)),
  table: {
    heads: ['check', 'outcome', 'severity', ''],
    rows: [...failed(checks), ...checks.filter(({ outcome }) => outcome === 'inconclusive')].map(
      ({ id, outcome, severity, message }) => [id, outcome, severity, message],
    ),
  },
})

/** Returns the catalog as `--list` prints it. audit: "Catalogue" */
export function listingOf(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ id }) => id.length))
  const lines = checks.map(({ id, severity, title, needs }) => {
    return `${id.padEnd(width)}  ${severity.padEnd(8)}  ${title}  [needs ${needs.join(', ') || 'nothing'}]`
  })
  return `${lines.join('\n')}\n`
}

/** Returns the catalog as `--list --json` prints it. audit: "Running it" */
export const catalogOf = (checks: readonly Check[]) => ({
  checks: checks.map(({ id, title, severity, needs }) => ({ id, title, severity, needs })),
})
