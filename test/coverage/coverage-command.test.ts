import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { CoverageReport } from '../../src/control/coverage/report.js'
import { statusOf } from '../../src/programs/cli/commands/coverage.command.js'
import { BIN, test } from '../harness/command-line.js'

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')

const suite = `
const url = process.env.MOCKADEMY_URL
const call = (path, options) => fetch(url + path, options)
const main = async () => {
  await call('/v0/courses', { headers: { authorization: 'Bearer at_notes_globex' } })
  await call('/_admin/reset', { method: 'POST' })
  await call('/v0/elements', { headers: { authorization: 'Bearer at_notes_globex' } })
  const { spawnSync } = require('node:child_process')
  const args = ['coverage', '--gaps', '--markdown', 'page.md', '--write', 'gaps', '--fail-under', '90']
  const ended = spawnSync(process.execPath, [process.argv[1], ...args], { encoding: 'utf8' })
  console.log(ended.stdout + ended.stderr + 'status ' + ended.status)
}
main()
`

test('exec prints the coverage of the whole run and fails below a figure; coverage that since the reset', async ({
  run,
  folder,
}) => {
  const { status, stdout, stderr } = await run([
    ...['exec', '--coverage=run.json', '--fail-under', '50', '--'],
    ...[process.execPath, '-e', suite, BIN],
  ])
  expect(stderr).toMatch(/Coverage of notes: 1 % \(2 of \d+\)/)
  expect(stderr).toMatch(/GET \/v0\/courses +met: ok; not met: all-pages, expired/)
  expect(stderr).toContain('mockademy: the coverage of notes is 1 %, below 50 %\n')
  expect(status).toBe(1)
  const file = read(folder, 'run.json')
  expect(JSON.parse(file)).toMatchObject({ app: 'notes', met: 2 })
  expect(file).not.toMatch(/--url|127\.0\.0\.1/)
  expect(file).toContain('"closes": "mockademy faults add token_expired --surface api')
  expect(file).toContain(String.raw`\"$MOCKADEMY_URL\"'/v0/courses/`)

  expect(stdout).toMatch(/Coverage of notes: 0 % \(1 of \d+\)/)
  expect(stdout).toMatch(/^ {4}rate-limited: mockademy --url http:\S+:\d+ faults add rate_limited --surface api/m)
  expect(stdout).toMatch(/gaps: \d+ scenarios written; \d+ gaps have none/)
  expect(stdout).toContain('status 1')
  expect(read(folder, 'page.md')).toContain('| GET /v0/elements | ok | all-pages, expired')
  const written = readdirSync(join(folder, 'gaps'))
  expect(written).toContain('api-get-v0-courses-expired.json')
  expect(JSON.parse(read(folder, 'gaps/api-get-v0-courses-expired.json'))).toMatchObject({
    title: 'GET /v0/courses: expired',
    from: 'start',
    steps: [{ fixtures: {} }, { install: { app: 'notes' } }, { fault: { effect: 'token_expired', times: 1 } }],
  })
})

test('the file of several runs has what each of them has met, and each prints its own', async ({ run, folder }) => {
  // The first run writes a file by which the second one knows that it is the second.
  const suite = `
const { existsSync, writeFileSync } = require('node:fs')
const path = existsSync('ran') ? '/v0/elements' : '/v0/courses'
writeFileSync('ran', '')
const headers = { authorization: 'Bearer at_notes_globex' }
const main = async () => {
  await fetch(process.env.MOCKADEMY_URL + path, { headers })
  await fetch(process.env.MOCKADEMY_URL + '/v0/members', { headers })
}
main()
`
  const { status, stderr } = await run([
    ...['exec', '--coverage=run.json', '--repeat', '2', '--'],
    ...[process.execPath, '-e', suite],
  ])
  expect(status).toBe(0)
  expect(stderr.match(/of notes: .*/g)).toEqual(Array(2).fill(expect.stringContaining('(2 of ')))
  const { met, groups } = JSON.parse(read(folder, 'run.json'))
  const rows: { row: string; cells: { column: string; count: number }[] }[] = groups[0].rows
  const counts = rows.flatMap(({ row, cells }) =>
    cells.filter(({ count }) => count > 0).map(({ column, count }) => `${row}: ${column} ${count}`),
  )
  expect({ met, counts }).toEqual({
    met: 3,
    counts: ['GET /v0/courses: ok 1', 'GET /v0/elements: ok 1', 'GET /v0/members: forbidden 2'],
  })
})

test.for([
  [29, 50, 58],
  [161, 250, 64.4],
  [33, 375, 8.8],
  [0, 0, 100],
] as const)('%i of %i cells are enough for %f %, whatever floats make of it', ([met, countable, least]) => {
  const report = { app: 'notes', figure: countable === 0 ? 1 : met / countable, met, countable } as CoverageReport
  expect([least, least + 0.01].map((each) => statusOf(report, each))).toEqual([0, 1])
})

test('a percentage that cannot be is refused before anything runs', async ({ run }) => {
  // The empty one is what CI makes of a variable that is not set.
  for (const value of ['101', '']) {
    const { status, stderr } = await run(['exec', '--fail-under', value, '--', 'true'])
    expect([status, stderr]).toEqual([2, `mockademy: --fail-under "${value}": must be a percentage from 0 to 100\n`])
  }
})
