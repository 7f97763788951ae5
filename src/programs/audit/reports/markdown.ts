import { capitalised } from '../../reports/capitalised.js'
import { markdownTable } from '../../reports/markdown-table.js'
import type { AuditReport, CheckResult } from '../report.js'

/** The report for a pull request or a wiki: a table of everything, then the review of what did not pass. */
export function markdownOf({ app, passed, summary, checks }: AuditReport): string {
  const counted = Object.entries(summary).flatMap(([outcome, count]) => (count > 0 ? [`${count} ${outcome}`] : []))
  const reviewed = checks.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skip')
  return [
    `# Audit of ${app}: ${passed ? 'passed' : 'not passed'}`,
    '',
    `${counted.join(' · ')}.`,
    '',
    ...markdownTable(
      ['outcome', 'severity', 'check', ''],
      checks.map(({ outcome, severity, id, title }) => [outcome, severity, `\`${id}\``, title]),
    ),
    '',
    ...reviewed.flatMap(review),
    ...skippedOf(checks),
  ].join('\n')
}

function review({ id, title, outcome, severity, message, sent, seen, expected, source, remedy, entries }: CheckResult) {
  return [
    `## ${id}: ${outcome} (${severity})`,
    '',
    `${capitalised(title)}. ${message}.`.replace('..', '.'),
    '',
    ...(sent ? ['Sent:', '', fenced(sent), ''] : []),
    ...(seen ? ['Seen:', '', fenced(seen), ''] : []),
    `- **Expected:** ${expected}`,
    `- **Rule:** ${source}`,
    `- **Fix:** ${remedy}`,
    ...(entries.length > 0 ? [`- **Journal entries:** ${entries.join(', ')}`] : []),
    '',
  ]
}

function skippedOf(checks: CheckResult[]): string[] {
  const skipped = checks.filter(({ outcome }) => outcome === 'skip')
  if (skipped.length === 0) return []
  return ['## Skipped', '', ...skipped.map(({ id, message }) => `- \`${id}\`: ${message}`), '']
}

/** A block that no text inside of it can end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
