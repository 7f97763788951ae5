import type { AuditReport, CheckResult, Outcome } from '../report.js'

/** What a test case holds, by outcome: exactly one of failure, error, skipped; nothing when it passed. audit: "JUnit" */
const elements: Record<Outcome, 'failure' | 'error' | 'skipped' | undefined> = {
  pass: undefined,
  fail: 'failure',
  warn: undefined,
  inconclusive: 'error',
  skip: 'skipped',
  accepted: 'skipped',
}

/** The report as JUnit XML, one test case a check. A warning fails no build: it is the test case's output. */
export function junitOf({ app, checks }: AuditReport): string {
  const count = (element: string) => checks.filter(({ outcome }) => elements[outcome] === element).length
  const attributes = `name=${quoted(`audit of ${app}`)} tests="${checks.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes}>`,
    `<testsuite ${attributes}>`,
    ...checks.map(testCase),
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(check: CheckResult): string {
  const { id, title, outcome, severity, message } = check
  const [chapter] = id.split('.')
  const open = `<testcase classname=${quoted(`audit.${chapter}`)} name=${quoted(`${id}: ${title}`)}`
  const element = elements[outcome]
  if (element === 'skipped') return `${open}><skipped message=${quoted(message)}/></testcase>`
  if (element) {
    return `${open}><${element} type=${quoted(severity)} message=${quoted(message)}>${escaped(detailsOf(check))}</${element}></testcase>`
  }
  return outcome === 'warn' ? `${open}><system-out>${escaped(detailsOf(check))}</system-out></testcase>` : `${open}/>`
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

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text of an XML document; control characters, which XML 1.0 cannot hold, become a replacement character. */
const escaped = (text: string) =>
  [...text].map((character) => (isControl(character) ? '\ufffd' : (named[character] ?? character))).join('')

const isControl = (character: string) => character < ' ' && !'\t\n\r'.includes(character)

const quoted = (text: string) => `"${escaped(text).replaceAll('\n', '&#10;')}"`
