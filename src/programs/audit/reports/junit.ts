import { type JunitCase, junitXml } from '../../reports/junit.js'
import type { AuditReport, CheckResult } from '../report.js'

/** The report as JUnit XML, one test case a check. A warning fails no build: it is the test case's output. audit: "JUnit" */
export const junitOf = ({ app, checks }: AuditReport): string => {
  const name = `audit of ${app}`
  return junitXml(name, [{ name, cases: checks.map(caseOf) }])
}

function caseOf(check: CheckResult): JunitCase {
  const { id, title, outcome, severity, message } = check
  const [chapter] = id.split('.')
  const its: JunitCase = { group: `audit.${chapter}`, name: `${id}: ${title}` }
  switch (outcome) {
    case 'pass':
      return its
    case 'warn':
      return { ...its, output: detailsOf(check) }
    case 'skip':
    case 'accepted':
      return { ...its, skipped: message }
    default: {
      const element = outcome === 'fail' ? 'failure' : 'error'
      return { ...its, result: { element, type: severity, message, details: detailsOf(check) } }
    }
  }
}

/** Everything there is to say of a check, a line each. */
const detailsOf = ({ message, sent, seen, expected, source, remedy, entries }: CheckResult): string =>
  [
    message,
    sent && `Sent: ${sent}`,
    seen && `Seen: ${seen}`,
    `Expected: ${expected}`,
    `Rule: ${source}`,
    `Fix: ${remedy}`,
    entries.length > 0 && `Journal entries: ${entries.join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n')
