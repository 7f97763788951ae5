import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { oneProcessTest as base, ROOT } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

interface Files {
  url: string
  /** Writes a file of the test's folder. */
  file: (name: string, text: string) => Promise<void>
}

const test = base.extend<Files>({
  url: async ({ start }, use) => {
    const { url } = await start(['--port', '0', '--store', 'memory', '--now', '2026-01-01T00:00:00Z'])
    await use(url)
  },
  file: async ({ folder }, use) => {
    await use((name, text) => writeFile(join(folder, name), text))
  },
})

const PASSING = `// It says what it is for
{
  "title": "Acme reads",
  "steps": [
    { "request": { "path": "/v0/courses", "as": "acme" }, "expect": { "status": 200 } }, // with its key
  ],
}
`

const FAILING = `{
  "steps": [
    { "name": "first", "request": { "path": "/v0/courses", "as": "acme" } },
    {
      "title": "nobody may read",
      "request": {
        "path": "/v0/elements",
        "as": "acme"
      },
      "expect": { "status": 401 }
    },
    { "mark": {} }
  ]
}
`

describe('mockademy scenario run', () => {
  test('prints a line a step and ends with 0 when all pass', async ({ file, run, url }) => {
    await file('passing.jsonc', PASSING)
    const { status, stdout, stderr } = await run(['scenario', 'run', 'passing.jsonc', '--url', url])
    expect(stdout).toMatch(/^passing\.jsonc: Acme reads\n {2}✓ request \(\d+ ms\)\n1 passed\n$/)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('without an emulator, it names --fixtures', async ({ file, run }) => {
    await file('passing.jsonc', PASSING)
    expect(await run(['scenario', 'run', 'passing.jsonc', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^mockademy: No emulator answers at .*Is it running\?\nStart one, or name a fixture file with --fixtures/,
      ),
    })
  })

  test('of a list of another length: its length, in words', async ({ file, run, url }) => {
    const step = { request: { path: '/_admin/organizations/acme' }, expect: { body: { members: [{}] } } }
    await file('short.jsonc', JSON.stringify({ steps: [step] }))
    const { stdout } = await run(['scenario', 'run', 'short.jsonc', '--url', url])
    expect(stdout).toContain('body.members: expected a length of 1, got a length of 6\n')
    expect(stdout).toContain('expected  a length of 1\n')
    expect(stdout).not.toContain('$length')
  })

  test('of $length: the length that was received; of any other value: its first 1,000 characters', async ({
    file,
    run,
    url,
  }) => {
    const request = { path: '/v0/elements', as: 'acme' }
    const failing = { $length: { $length: 3 }, $absent: { $absent: true } }
    for (const [name, data] of Object.entries(failing)) {
      await file(`${name}.json`, JSON.stringify({ steps: [{ request, expect: { body: { payload: { data } } } }] }))
    }
    const { stdout } = await run(['scenario', 'run', '$length.json', '$absent.json', '--url', url])
    expect(stdout).toContain('body.payload.data: expected a length of 3, got a length of 28\n')
    expect(stdout).toContain('expected  a length of 3\n    got       a length of 28\n')
    expect(stdout).toMatch(/^ {4}got {7}\[\{"id":.{993}…$/m)
  })

  test('a setting as a flag needs --fixtures to take effect', async ({ file, run, url }) => {
    await file('passing.jsonc', PASSING)
    const args = ['scenario', 'run', 'passing.jsonc', '--page-size', '3']
    const stderr = 'mockademy: --page-size needs --fixtures: a running emulator keeps its settings\n'
    expect(await run([...args, '--url', url])).toMatchObject({ status: 2, stdout: '', stderr })
    expect((await run([...args, '--fixtures', join(ROOT, 'fixtures/default.json')])).status).toBe(0)
  })

  test('of a failure: file and line, expected beside got, and the journal since the step before', async ({
    file,
    run,
    url,
  }) => {
    await file('passing.jsonc', PASSING)
    await file('failing.jsonc', FAILING)
    const { status, stdout } = await run(['scenario', 'run', 'failing.jsonc', 'passing.jsonc', '--url', url])
    expect(stdout.replaceAll(/\d+ ms/g, '1 ms')).toBe(`failing.jsonc
  ✓ request: first (1 ms)
  ✗ request: nobody may read (1 ms)
    failing.jsonc:6: status: expected 401, got 200
    expected  401
    got       200
    The journal since the previous step:
      00:00:00 <- GET    /v0/courses 200 1 ms acme; by a scenario
      00:00:00 <- GET    /v0/elements 200 1 ms acme; by a scenario
  - 1 more step was not run
passing.jsonc: Acme reads
  ✓ request (1 ms)
1 passed, 1 failed
`)
    expect(status).toBe(1)
  })

  test('--junit writes a suite for each file and a case for each step', async ({ file, folder, run, url }) => {
    await file('failing.jsonc', FAILING)
    await file('unknown.jsonc', '{ "steps": [ { "install": { "app": "notes", "organization": "acne" } } ] }')
    const args = ['failing.jsonc', 'unknown.jsonc', '--url', url, '--junit', 'report.xml']
    expect((await run(['scenario', 'run', ...args])).status).toBe(2)
    const xml = await readFile(join(folder, 'report.xml'), 'utf8')
    expect(xml).toMatch(/^<\?xml .*\n<testsuites name="mockademy scenarios" tests="4" failures="1" errors="1">\n/)
    expect(xml).toContain('<testsuite name="failing.jsonc" tests="3" failures="1" errors="0" skipped="1">')
    expect(xml).toMatch(/<testcase classname="scenarios\.failing" name="0: request: first" time="0\.\d{3}"\/>/)
    expect(xml).toMatch(
      /name="1: request: nobody may read" time="0\.\d{3}"><failure type="request" message="failing\.jsonc:6: status: expected 401, got 200">/,
    )
    expect(xml).toContain('name="2: mark"><skipped message="Not run: an earlier step failed"/></testcase>')
    expect(xml).toContain('unknown.jsonc:1: steps[0].install.organization: there is no organization &quot;acne&quot;')
  })

  test('a file that is not valid: every issue with its line, status 2, and nothing is run', async ({
    file,
    run,
    url,
  }) => {
    await file('passing.jsonc', PASSING)
    await file('typo.jsonc', FAILING.replace('"path": "/v0/elements"', '"pth": "/v0/elements"').replace('mark', 'makr'))
    const { status, stdout, stderr } = await run(['scenario', 'run', 'passing.jsonc', 'typo.jsonc', '--url', url])
    expect(stderr).toBe(`typo.jsonc:6: steps[1].request.path: is required: a string
typo.jsonc:7: steps[1].request.pth: is not a known field; did you mean "path"?
typo.jsonc:12: steps[2].makr: is not a known step; did you mean "mark"?
`)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect((await send(`${url}/_admin/requests/count`)).body).toEqual({ count: 0 })
  })

  test('names that the emulator does not know are issues of the file too', async ({ file, run, url }) => {
    await file('passing.jsonc', PASSING.replace('"acme"', '"acne"'))
    const { status, stdout, stderr } = await run(['scenario', 'run', 'passing.jsonc', '--url', url])
    expect(stderr).toBe('passing.jsonc:5: steps[0].request.as: there is no organization "acne"; did you mean "acme"?\n')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '1 could not be read\n' })
  })

  test.for([
    ['', /^x\.jsonc:1: is not valid JSON: value expected\n$/],
    ['{\n  "steps": [\n    { "mark" {} }\n  ]\n}', /^x\.jsonc:3: is not valid JSON: colon expected\n$/],
    ['[]', /^x\.jsonc:1: must be an object with steps/],
    ['{ "steps": [] }', /^x\.jsonc:1: steps: is required: an array with at least one step/],
    ['[['.repeat(200), /^x\.jsonc:1: is nested more than 100 levels deep/],
  ] as const)('%j is no scenario', async ([text, says], { file, run }) => {
    await file('x.jsonc', text)
    const { status, stderr } = await run(['scenario', 'run', 'x.jsonc', '--dry-run'])
    expect(stderr).toMatch(says)
    expect(status).toBe(2)
  })

  test('a file that is not there, and an emulator that is not', async ({ file, run }) => {
    expect(await run(['scenario', 'run', 'none.jsonc'])).toMatchObject({
      status: 2,
      stderr: 'mockademy: none.jsonc: there is no such file\n',
    })
    await file('passing.jsonc', PASSING)
    const { status, stderr } = await run(['scenario', 'run', 'passing.jsonc', '--url', 'http://127.0.0.1:1'])
    expect(stderr).toMatch(/^mockademy: No emulator answers at http:\/\/127\.0\.0\.1:1/)
    expect(status).toBe(1)
  })

  test('--dry-run checks and asks no emulator, also for hosts that only one may trust', async ({ file, run }) => {
    const manifest = {
      id: 'notes',
      name: 'Notes',
      version: '1.0.0',
      permissions: ['elements:read'],
      oauth: { install: true },
      webhook: { url: 'http://my-app/webhook' },
    }
    await file('push.jsonc', JSON.stringify({ steps: [{ push: manifest }] }))
    await file('passing.jsonc', PASSING)
    expect(await run(['scenario', 'run', 'push.jsonc', 'passing.jsonc', '--dry-run'])).toMatchObject({
      status: 0,
      stdout: 'push.jsonc: valid, 1 step\npassing.jsonc: valid, 1 step\n',
      stderr: '',
    })
    const { status, stdout } = await run(['scenario', 'run', 'passing.jsonc', '--dry-run', '--json'])
    expect([status, JSON.parse(stdout)]).toEqual([0, { data: [{ file: 'passing.jsonc', valid: true, steps: 1 }] }])
  })

  test('--fixtures starts an emulator of its own, with settings', async ({ file, folder, run }) => {
    await mkdir(join(folder, 'empty'), { recursive: true })
    await file(
      'world.json',
      JSON.stringify({ organizations: [{ slug: 'hooli', name: 'Hooli', api_key: 'key_hooli' }] }),
    )
    await file(
      'own.jsonc',
      JSON.stringify({
        steps: [
          { request: { path: '/v0/courses', as: 'hooli' }, expect: { status: 200 } },
          { request: { path: '/_admin/clock' }, expect: { body: { now: '2030-01-01T00:00:00.000Z' } } },
        ],
      }),
    )
    const own = ['scenario', 'run', 'own.jsonc', '--fixtures', 'world.json']
    const { status, stdout, stderr } = await run([...own, '--now', '2030-01-01T00:00:00Z', '--admin-token', 'sesame'])
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
    expect((await run([...own, '--url', 'http://127.0.0.1:1'])).status).toBe(2)
  })

  test('--json prints the answers', async ({ file, run, url }) => {
    await file('failing.jsonc', FAILING)
    const { status, stdout } = await run(['scenario', 'run', 'failing.jsonc', '--url', url, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      data: [{ file: 'failing.jsonc', passed: false, steps: [{ ok: true }, { ok: false }] }],
    })
    expect(status).toBe(1)
  })

  test('interrupted, it ends with 130 and the emulator goes back', async ({ file, launch, url }) => {
    await file(
      'waits.jsonc',
      JSON.stringify({
        steps: [
          { organization: { slug: 'hooli', name: 'Hooli' } },
          { expect_delivery: { event: 'never', within: '10m' } },
        ],
      }),
    )
    const { child, ended } = launch(['scenario', 'run', 'waits.jsonc', '--url', url])
    const organizations = async () => (await send(`${url}/_admin/organizations`)).body.data.length
    await expect.poll(organizations).toBe(4)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ status: 130, stderr: '' })
    await expect.poll(organizations).toBe(3)
  })
})
