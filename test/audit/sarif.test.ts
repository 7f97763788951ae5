import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect } from 'vitest'
import { placesIn } from '../../src/programs/audit/places.js'
import type { Report, Result, Status } from '../../src/programs/reports/report.js'
import { sarif } from '../../src/programs/reports/sarif.js'
import { ROOT, test } from '../harness/command-line.js'
import { sarifIssues } from '../harness/sarif-rules.js'
import { serve } from '../harness/serve.js'

const result = (id: string, status: Status, type: string): Result => ({
  ...{ group: 'audit.webhook', id, title: `the title of ${id}`, status, type, message: `the message of ${id}` },
  facts: [
    { label: 'Seen', text: 'a [link](https://evil.test)' },
    { label: 'Fix', text: 'do it otherwise', isRule: true },
  ],
})

const reportOf = (...results: Result[]): Report => ({ name: 'x', suites: [{ name: 'x', results }] })

const options = { category: 'mockademy-audit/notes', placeOf: () => ({ uri: 'test/audit/sarif.test.ts', line: 2 }) }
const write = (report: Report) => JSON.parse(sarif(report, options))

describe('a SARIF report', () => {
  test('has what did not pass, the worst first, each by a rule with help and severity', () => {
    const log = write(
      reportOf(
        result('passes', 'pass', 'high'),
        result('low', 'fail', 'low'),
        result('skipped', 'skip', 'high'),
        result('known', 'accepted', 'high'),
        result('unclear', 'inconclusive', 'critical'),
        result('high', 'fail', 'high'),
        result('practice', 'warn', 'low'),
      ),
    )
    expect(log).toMatchObject({ version: '2.1.0', runs: [{ automationDetails: { id: 'mockademy-audit/notes/' } }] })
    const [{ tool, results }] = log.runs
    expect(results.map(({ ruleId, level }: { ruleId: string; level: string }) => [ruleId, level])).toEqual([
      ['high', 'error'],
      ['unclear', 'warning'],
      ['low', 'note'],
      ['practice', 'note'],
    ])
    expect(tool.driver.rules[0]).toEqual({
      id: 'high',
      shortDescription: { text: 'the title of high' },
      fullDescription: { text: 'the title of high' },
      help: { text: 'Fix: do it otherwise' },
      defaultConfiguration: { level: 'error' },
      properties: { tags: ['security'], 'security-severity': '8.0' },
    })
    expect(results[0].message.text).toBe('the message of high\nSeen: a [link] (https://evil.test)')
    expect(results[0].locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'test/audit/sarif.test.ts', uriBaseId: '%SRCROOT%' },
          region: { startLine: 2 },
        },
      },
    ])
  })

  test('has absolute places without a base, which only relative ones may have', () => {
    const placeOf = () => ({ uri: pathToFileURL(join(ROOT, 'test/audit/sarif.test.ts')).href, line: 2 })
    const text = sarif(reportOf(result('a', 'fail', 'high')), { ...options, placeOf })
    expect(sarifIssues(text, join(ROOT, 'docs'))).toEqual([])
    const [{ physicalLocation }] = JSON.parse(text).runs[0].results[0].locations
    expect(physicalLocation.artifactLocation).toEqual({ uri: placeOf().uri })
  })

  test('tells alerts apart by fingerprints that do not change from run to run', () => {
    const fingerprints = () =>
      write(reportOf(result('a', 'fail', 'high'), result('b', 'fail', 'high'))).runs[0].results.map(
        ({ partialFingerprints }: { partialFingerprints: Record<string, string> }) =>
          partialFingerprints.primaryLocationLineHash,
      )
    expect(new Set(fingerprints()).size).toBe(2)
    expect(fingerprints()).toEqual(fingerprints())
  })

  test('has at most 5,000 results: GitHub refuses more', () => {
    const many = Array.from({ length: 5_100 }, (_, index) => result(`low-${index}`, 'fail', 'low'))
    const report = reportOf(...many, result('worst', 'fail', 'critical'))
    const { results, tool } = write(report).runs[0]
    expect(sarifIssues(sarif(report, options), ROOT)).toEqual([])
    expect(results).toHaveLength(5_000)
    expect(tool.driver.rules).toHaveLength(5_000)
    expect(results[0].ruleId).toBe('worst')
  })
})

describe('the schema of SARIF 2.1.0 and the rules of ingestion', () => {
  test('are kept by results of every status and severity', () => {
    const results = (['pass', 'fail', 'accepted', 'skip', 'inconclusive', 'warn', 'invalid'] as const).flatMap(
      (status) =>
        ['critical', 'high', 'medium', 'low', 'none'].map((type) => result(`${status}-${type}`, status, type)),
    )
    const bare = { ...result('bare', 'fail', 'high'), facts: [] }
    expect(sarifIssues(sarif(reportOf(...results, bare), options), ROOT)).toEqual([])
  })

  test('would show what breaks them', () => {
    const log = write(reportOf(result('a', 'fail', 'high'), result('b', 'fail', 'low')))
    const broken = (change: (run: (typeof log.runs)[0]) => void) => {
      const copy = structuredClone(log)
      change(copy.runs[0])
      return sarifIssues(JSON.stringify(copy), ROOT)
    }
    const place = (run: (typeof log.runs)[0]) => run.results[0].locations[0].physicalLocation
    expect(broken(() => {})).toEqual([])
    for (const change of [
      (run) => {
        run.results[0].locations = []
      },
      (run) => {
        place(run).artifactLocation.uri = '/etc/hosts'
      },
      (run) => {
        place(run).artifactLocation.uri = 'gone.json'
      },
      (run) => {
        place(run).region.startLine = 0
      },
      (run) => {
        place(run).region.startLine = 10_000
      },
      (run) => {
        delete run.results[0].partialFingerprints
      },
      (run) => {
        run.results[1].partialFingerprints = run.results[0].partialFingerprints
      },
      (run) => {
        run.results[0].ruleIndex = 1
      },
      (run) => {
        run.results[0].severity = 'high'
      },
      (run) => {
        run.results[0].message.text = ''
      },
      (run) => {
        delete run.tool.driver.name
      },
      (run) => {
        run.tool.driver.rules[0].defaultConfiguration.level = 'high'
      },
    ] satisfies ((run: (typeof log.runs)[0]) => void)[]) {
      expect(broken(change), String(change)).toHaveLength(1)
    }
  })
})

describe('the place of a check', () => {
  const text =
    '{\n  // known\n  "app": "notes",\n  "probe": {\n    "url": "x"\n  },\n  "accept": {\n    "b": "later"\n  }\n}'
  const checks = [
    { id: 'a', needs: ['whoami', 'probe'] },
    { id: 'b', needs: ['probe'] },
    { id: 'c', needs: [] },
  ] as const

  test('is its entry of accept, the first key that it needs, or the app', () => {
    const placeOf = placesIn({ file: '/repo/my app/audit.json', text, within: [] }, checks, '/repo')
    expect(placeOf('a')).toEqual({ uri: 'my%20app/audit.json', line: 4 })
    expect(placeOf('b')).toEqual({ uri: 'my%20app/audit.json', line: 8 })
    expect(placeOf('c')).toEqual({ uri: 'my%20app/audit.json', line: 3 })
  })

  test('is within `audit` of mockademy.json', () => {
    const placeOf = placesIn(
      { file: '/repo/mockademy.json', text: `{ "audit":\n${text} }`, within: ['audit'] },
      checks,
      '/repo',
    )
    expect(placeOf('a')).toEqual({ uri: 'mockademy.json', line: 5 })
  })
})

test('audit --sarif writes results with places in files that exist', async ({ run, folder }) => {
  const { url } = await serve((_, response) => response.writeHead(500).end(), { host: 'localhost' })
  const manifest = {
    id: 'broken',
    name: 'Broken',
    version: '1.0.0',
    permissions: ['elements:read'],
    oauth: { install: true },
    webhook: { url: `${url}/webhook` },
  }
  await writeFile(join(folder, 'world.json'), JSON.stringify({ apps: [{ manifest }] }))
  await writeFile(join(folder, 'mockademy.audit.json'), '{\n  "app": "broken",\n  "background": "10ms"\n}\n')

  const audit = [join(ROOT, 'bin/mockademy.js'), 'audit', '--only', 'webhook.accepts', '--sarif', 'audit.sarif']
  const { status, stderr } = await run(['exec', '--fixtures', 'world.json', '--', process.execPath, ...audit])
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.anything() })
  const written = await readFile(join(folder, 'audit.sarif'), 'utf8')
  expect(sarifIssues(written, folder)).toEqual([])
  const { runs } = JSON.parse(written)
  const [{ tool, results }] = runs
  expect(results).toHaveLength(1)
  const { artifactLocation, region } = results[0].locations[0].physicalLocation
  expect(await readFile(join(folder, artifactLocation.uri), 'utf8')).toContain('"app": "broken"')
  expect(region).toEqual({ startLine: 2 })
  expect(tool.driver.rules[0].help.text).toMatch(/^Expected: .+\nRule: .+\nFix: .+/s)
})
