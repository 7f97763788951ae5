/** One test of a report. */
export interface JunitCase {
  /** With dots, as classes are named: tools group by it. */
  group: string
  name: string
  /** Real seconds. */
  seconds?: number | undefined
  /** What it came to; it passed when left out. */
  result?: { element: 'failure' | 'error'; type: string; message: string; details: string } | undefined
  /** Why it was not run. */
  skipped?: string | undefined
  /** What else there is to say. */
  output?: string | undefined
}

/** The tests of one file, or of one program. */
export interface JunitSuite {
  name: string
  cases: JunitCase[]
}

/** A report as JUnit XML, which CI servers show: a case holds exactly one of failure, error and skipped, or none. */
export function junitXml(name: string, suites: JunitSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributesOf({ name, cases: suites.flatMap(({ cases }) => cases) })}>`,
    ...suites.flatMap((suite) => [`<testsuite ${attributesOf(suite)}>`, ...suite.cases.map(testCase), '</testsuite>']),
    '</testsuites>',
    '',
  ].join('\n')
}

function attributesOf({ name, cases }: JunitSuite): string {
  const count = (element: string) => cases.filter(({ result }) => result?.element === element).length
  const skipped = cases.filter((each) => each.skipped !== undefined).length
  return `name=${quoted(name)} tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${skipped}"`
}

function testCase({ group, name, seconds, result, skipped, output }: JunitCase): string {
  const time = seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`
  const open = `<testcase classname=${quoted(group)} name=${quoted(name)}${time}`
  if (skipped !== undefined) return `${open}><skipped message=${quoted(skipped)}/></testcase>`
  if (result) {
    const { element, type, message, details } = result
    return `${open}><${element} type=${quoted(type)} message=${quoted(message)}>${escaped(details)}</${element}></testcase>`
  }
  return output === undefined ? `${open}/>` : `${open}><system-out>${escaped(output)}</system-out></testcase>`
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text of an XML document; control characters, which XML 1.0 cannot hold, become a replacement character. */
const escaped = (text: string) =>
  [...text].map((character) => (isControl(character) ? '\ufffd' : (named[character] ?? character))).join('')

const isControl = (character: string) => character < ' ' && !'\t\n\r'.includes(character)

const quoted = (text: string) => `"${escaped(text).replaceAll('\n', '&#10;')}"`
