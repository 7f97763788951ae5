import { hash } from 'node:crypto'
import { packageManifest } from '../../emulator/world/version.js'
import { factLine, type Report, type Result, type Status } from './report.js'

/** The line of a file. A result without one makes GitHub refuse the whole report. */
export interface Place {
  /** Relative to the root of the repository, or absolute if it is outside; percent-encoded. */
  uri: string
  line: number
}

/** GitHub takes no more results of one run. */
const MAX_RESULTS = 5_000

/** Levels by severity, the worst first, with the score by which GitHub sorts alerts. */
const severities: Record<string, { level: Level; score: string }> = {
  critical: { level: 'error', score: '9.5' },
  high: { level: 'error', score: '8.0' },
  medium: { level: 'warning', score: '5.5' },
  low: { level: 'note', score: '2.0' },
}

const levels = ['error', 'warning', 'note'] as const
type Level = (typeof levels)[number]

/** Statuses that are results of a report, and the level where it is not that of the severity. */
const reported: Partial<Record<Status, Level | 'by severity'>> = {
  fail: 'by severity',
  invalid: 'error',
  inconclusive: 'warning',
  warn: 'note',
}

/**
 * Returns what did not pass as SARIF 2.1.0, the worst first: a rule for each id, a result at the place that declares it.
 * @param options `category` tells this report from others of the same commit, as in `mockademy-audit/notes`.
 */
export function sarif({ suites }: Report, options: { category: string; placeOf: (result: Result) => Place }): string {
  const { category, placeOf } = options
  const found = suites
    .flatMap(({ results }) => results)
    .flatMap((result) => {
      const level = levelOf(result)
      return level ? [{ result, level }] : []
    })
    .toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level))
    .slice(0, MAX_RESULTS)
  const rules = new Map(found.map(({ result }) => [result.id, result]))
  const ids = [...rules.keys()]
  const driver = {
    name: 'Mockademy',
    version: packageManifest.version,
    informationUri: packageManifest.bugs.url.replace(/\/issues$/, ''),
    rules: [...rules.values()].map(ruleOf),
  }
  const results = found.map(({ result, level }) => {
    const { uri, line } = placeOf(result)
    // Only a relative URI may have a base.
    const artifactLocation = URL.canParse(uri) ? { uri } : { uri, uriBaseId: '%SRCROOT%' }
    return {
      ruleId: result.id,
      ruleIndex: ids.indexOf(result.id),
      level,
      message: { text: withoutLinks([result.message, ...result.facts.filter(({ isRule }) => !isRule).map(factLine)]) },
      locations: [{ physicalLocation: { artifactLocation, region: { startLine: line } } }],
      // An alert stays the same one when the file's lines move.
      partialFingerprints: { primaryLocationLineHash: `${hashOf([category, result.group, result.id])}:1` },
    }
  })
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, automationDetails: { id: `${category}/` }, columnKind: 'utf16CodeUnits', results }],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function levelOf({ status, type }: Result): Level | undefined {
  const level = reported[status]
  return level === 'by severity' ? (severities[type]?.level ?? 'error') : level
}

function ruleOf({ id, title = id, type, facts }: Result) {
  const severity = severities[type]
  const help = facts.filter(({ isRule }) => isRule).map(factLine)
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: withoutLinks(help.length > 0 ? help : [title]) },
    defaultConfiguration: { level: severity?.level ?? 'error' },
    ...(severity && { properties: { tags: ['security'], 'security-severity': severity.score } }),
  }
}

/** Separates `](`, which would begin the target of a link in a message. */
const withoutLinks = (lines: string[]) => lines.join('\n').replaceAll('](', '] (')

const hashOf = (parts: string[]) => hash('sha256', parts.join('\n')).slice(0, 16)
