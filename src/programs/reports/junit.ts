import { factLine, type Report, type Result, type Suite, statuses } from './report.js'

/** Returns a report as JUnit XML, which CI servers show: a case holds exactly one of failure, error and skipped, or none. */
export function junitXml({ name, suites }: Report): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributesOf({ name, results: suites.flatMap(({ results }) => results) })}>`,
    ...suites.flatMap((suite) => [
      // Schemas of JUnit's format have no `skipped` for all suites together.
      `<testsuite ${attributesOf(suite)} skipped="${countOf(suite, 'skipped')}">`,
      ...suite.results.map(testCase),
      '</testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

const attributesOf = (suite: Suite) =>
  `name=${quoted(suite.name)} tests="${suite.results.length}" failures="${countOf(suite, 'failure')}" errors="${countOf(suite, 'error')}"`

const countOf = ({ results }: Suite, element: string) =>
  results.filter(({ status }) => statuses[status].junit === element).length

function testCase({ group, id, title, status, type, message, facts, duration }: Result): string {
  const name = title === undefined ? id : `${id}: ${title}`
  const time = duration === undefined ? '' : ` time="${(duration / 1000).toFixed(3)}"`
  const open = `<testcase classname=${quoted(group)} name=${quoted(name)}${time}`
  const details = escaped([message, ...facts.map(factLine)].join('\n'))
  const { junit } = statuses[status]
  if (junit === undefined) return `${open}/>`
  if (junit === 'skipped') return `${open}><skipped message=${quoted(message)}/></testcase>`
  // A warning fails no build: it is the output of its test.
  if (junit === 'system-out') return `${open}><system-out>${details}</system-out></testcase>`
  return `${open}><${junit} type=${quoted(type)} message=${quoted(message)}>${details}</${junit}></testcase>`
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A character that XML 1.0 excludes, or one that has another form in its documents. */
const special = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|[&<>"]/gu

/** Text of an XML document; excluded characters become a replacement character. */
const escaped = (text: string) => text.replace(special, (character) => named[character] ?? '\ufffd')

const quoted = (text: string) => `"${escaped(text).replaceAll('\n', '&#10;')}"`
