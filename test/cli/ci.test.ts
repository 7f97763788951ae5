import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { jobSummary, workflowCommand } from '../../src/programs/reports/github.js'
import { junitXml } from '../../src/programs/reports/junit.js'
import { oneProcessTest as test } from '../harness/command-line.js'

const node = (script: string) => ['--', process.execPath, '-e', script]

/** Fails for even seeds, with 3 and more by their last digit. */
const BY_SEED =
  "http.get(process.env.MOCKADEMY_URL + '/_admin', async (response) => { const { seed } = JSON.parse((await response.toArray()).join('')).settings; process.exit(seed % 2 === 0 ? 3 + (seed % 10) : 0) })"
const statusOf = (seed: string) => (Number(seed) % 2 === 0 ? 3 + (Number(seed) % 10) : 0)

describe('exec --repeat', () => {
  test('runs the command with another seed each time, prints a table, and ends as the first that failed', async ({
    run,
  }) => {
    const { status, stderr } = await run(['exec', '--page-size', '7', '--repeat', '8', ...node(BY_SEED)])
    const [note, ...above] = stderr.trim().split('\n').toReversed()
    expect(note).toMatch(/^mockademy: note: the emulator that exec started received only control calls/)
    const lines = above.toReversed()
    const head = lines.findIndex((line) => /^seed +result$/.test(line))
    const rows = lines.slice(head + 1, -1).map((line) => line.split(/ {2,}/) as [string, string])
    expect(new Set(rows.map(([seed]) => seed)).size).toBe(8)
    const failed = rows.filter(([seed]) => statusOf(seed) > 0)
    for (const [seed, result] of rows)
      expect(result).toBe(statusOf(seed) > 0 ? `failed with ${statusOf(seed)}` : 'passed')
    const named = failed.length > 0 ? `: ${failed.map(([seed]) => seed).join(', ')}` : ''
    expect(lines.at(-1)).toBe(`${8 - failed.length} passed, ${failed.length} failed${named}`)
    expect(status).toBe(statusOf(failed[0]?.[0] ?? '1'))
    expect(lines.slice(0, head)).toEqual(
      failed.map(([seed]) =>
        expect.stringContaining(
          `Seed ${seed} ended with ${statusOf(seed)}. Again: mockademy exec --page-size 7 --seed ${seed} -- `,
        ),
      ),
    )
  })

  test('--until-failure stops at the first run that fails', async ({ run }) => {
    const { status, stderr } = await run(['exec', '--until-failure', ...node('process.exit(4)')])
    expect(status).toBe(4)
    expect(stderr).toMatch(/^0 passed, 1 failed: \d+$/m)
  })

  test('refuses what makes no runs, and what would keep their world', async ({ run }) => {
    const refusals = [
      [['--repeat', '0'], '--repeat: must be a number of runs from 1 to 1000'],
      [['--repeat', 'x'], '--repeat: must be a number of runs from 1 to 1000'],
      [['--repeat', '2', '--seed', '7'], '--repeat and --seed exclude each other'],
      [['--repeat', '2', '--liberties', '1..2'], '--repeat and a range of --liberties exclude each other'],
      [['--repeat', '2', '--store', 'store.json'], 'leave --store out'],
    ] as const
    for (const [flags, message] of refusals) {
      const { status, stderr } = await run(['exec', ...flags, ...node('0')])
      expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(message) })
    }
  })
})

/** Asks with a credential in the URL, which is a finding. */
const FINDING = `
  const { MOCKADEMY_URL: url, PLATFORM_API_KEY: key } = process.env
  fetch(url + '/v0/courses?access_token=' + key)`

const FAILING = `{
  "steps": [
    { "mark": {} },
    { "expect_requests": { "surface": "api", "count": 3 } }
  ]
}`

describe('on GitHub Actions', () => {
  test.beforeEach(({ folder }) => writeFile(join(folder, 'failing.jsonc'), FAILING))

  const onGithub = (folder: string) => ({
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_WORKSPACE: join(folder, '..'),
  })
  const summaryIn = (folder: string) => readFile(join(folder, 'summary.md'), 'utf8').catch(() => undefined)

  test('exec appends how it ended, and warns of findings', async ({ run, folder }) => {
    await writeFile(join(folder, 'summary.md'), 'before\n')
    const { stderr } = await run(['exec', ...node(FINDING)], { env: onGithub(folder) })
    const summary = await summaryIn(folder)
    expect(summary).toMatch(/^before\n### ✓ mockademy exec \\-\\- /)
    expect(summary).toContain('Passed\\; 1 finding.')
    expect(summary).toContain('| token\\_in\\_url | error |')
    expect(stderr).toMatch(/^::warning title=token_in_url \(error.*\)::/m)
  })

  test('exec names coverage that is too low, and its command without secrets', async ({ run, folder }) => {
    const flags = ['exec', '--fail-under', '90', ...node(FINDING), 'notes_secret']
    const { status } = await run(flags, { env: onGithub(folder) })
    expect(status).toBe(1)
    const summary = await summaryIn(folder)
    expect(summary).toContain('Failed with 1\\; coverage is below 90 \\%\\; 1 finding.')
    expect(summary).toMatch(/^### ✗ mockademy exec .* \\\[redacted\\\]$/m)
    expect(summary).not.toContain('notes')
  })

  test('coverage appends the share of each group', async ({ run, start, folder }) => {
    const { url } = await start(['start', '--port', '0', '--store', 'memory'])
    const flags = ['coverage', '--url', url, '--fail-under', '1']
    expect((await run(flags, { env: onGithub(folder) })).status).toBe(1)
    const summary = await summaryIn(folder)
    expect(summary).toMatch(/^### ✗ mockademy coverage of notes\n\n0 \\% \\\(0 of \d+\\\)\.\n\n\| group \| met \|\n/)
    expect(summary).toMatch(/^\| tokens \| 0 \\% \\\(0 of 7\\\) \|$/m)
    await run([...flags, '--no-ci'], { env: onGithub(folder) })
    expect(await summaryIn(folder)).toBe(summary)
  })

  test('a scenario names the file and line of the step that failed', async ({ run, folder }) => {
    const flags = ['scenario', 'run', 'failing.jsonc', '--fixtures', 'empty.json']
    await writeFile(join(folder, 'empty.json'), '{}')
    const { status, stderr } = await run(flags, { env: onGithub(folder) })
    expect(status).toBe(1)
    const file = `${folder.split(/[\\/]/).at(-1)}/failing.jsonc`
    expect(stderr).toMatch(new RegExp(`^::error file=${file},line=4,title=scenario step expect_requests::.+`, 'm'))
    expect(await summaryIn(folder)).toContain('| failing\\.jsonc | 4 |')
  })

  test('the summary is that of the outermost run, and --no-ci writes none', async ({ run, folder }) => {
    const inner = `process.exit(require('child_process').spawnSync(process.execPath, [${JSON.stringify(
      join(process.cwd(), 'bin/mockademy.js'),
    )}, 'scenario', 'run', 'failing.jsonc'], { stdio: 'inherit' }).status)`
    const outer = await run(['exec', ...node(inner)], { env: onGithub(folder) })
    expect(outer.status).toBe(1)
    expect(outer.stderr).toContain('title=scenario step expect_requests')
    const summary = await summaryIn(folder)
    expect(summary?.match(/^### /gm)).toHaveLength(1)
    expect(summary).toContain('Failed with 1\\; 0 findings.')

    const silent = await run(['exec', '--no-ci', ...node(FINDING)], { env: onGithub(folder) })
    expect(silent.stderr).toBe('')
    expect(await summaryIn(folder)).toBe(summary)
  })

  test.for([
    [['--no-ci'], [], 1],
    [[], ['--ci'], 2],
  ] as const)(
    'the summary of a run within exec %o is written with %o',
    async ([outer, own, count], { run, folder }) => {
      const words = JSON.stringify([
        join(process.cwd(), 'bin/mockademy.js'),
        'scenario',
        'run',
        'failing.jsonc',
        ...own,
      ])
      const inner = `process.exit(require('child_process').spawnSync(process.execPath, ${words}).status)`
      await run(['exec', ...outer, ...node(inner)], { env: onGithub(folder) })
      const summary = await summaryIn(folder)
      expect(summary?.match(/^### /gm)).toHaveLength(count)
      expect(summary).toContain('| failing\\.jsonc | 4 |')
    },
  )

  test('a summary that cannot be written is a warning, in which a name cannot act on the terminal', async ({
    run,
    folder,
  }) => {
    const env = { ...onGithub(folder), GITHUB_STEP_SUMMARY: join(folder, '\u001b[2J', 'summary.md') }
    const { status, stderr } = await run(['exec', ...node('')], { env })
    expect([status, stderr]).toEqual([
      0,
      `mockademy: warning: the summary of the job cannot be written: ENOENT: no such file or directory, open '${join(folder, String.raw`\u001b[2J`, 'summary.md')}'\n`,
    ])
  })

  test('elsewhere nothing is written', async ({ run, folder }) => {
    const { stderr } = await run(['exec', ...node(FINDING)], {
      env: { GITHUB_STEP_SUMMARY: join(folder, 'summary.md') },
    })
    expect(stderr).toBe('')
    expect(await summaryIn(folder)).toBeUndefined()
  })
})

describe('text', () => {
  test('in workflow commands is escaped as actions/toolkit does', () => {
    const annotation = {
      level: 'error',
      title: 'a: b, c%',
      file: 'x,y:z',
      line: 3,
      message: '50%\r\n::set: a,b',
    } as const
    expect(workflowCommand(annotation)).toBe(
      '::error title=a%3A b%2C c%25,file=x%2Cy%3Az,line=3::50%25%0D%0A::set: a,b',
    )
  })

  test.for<[string, string]>([
    ['red \u001b[31m', 'red \ufffd[31m'],
    ['a\ufffeb\uffffc', 'a\ufffdb\ufffdc'],
    ['\ud83d \ude00 \u{1f600}', '\ufffd \ufffd \u{1f600}'],
    ['a\tb <"&">', 'a\tb &lt;&quot;&amp;&quot;&gt;'],
  ])('in JUnit has no characters that XML cannot hold: %j', ([message, shown]) => {
    const result = { group: 'a', id: 'b', status: 'fail', type: 'c', message } as const
    const suite = { name: 'd', results: [{ ...result, facts: [] }] }
    expect(junitXml({ name: 'e', suites: [suite] })).toContain(` message="${shown}">`)
  })

  test('in summaries is no markup and stays in its cell', () => {
    const rows = [['<img src=x> [a](b) `c`', 'one | two\n# three', 'back\\slash|']]
    const text = jobSummary({
      title: '*x*',
      passed: false,
      counts: '1 failed',
      table: { heads: ['a', 'b', 'c'], rows },
    })
    expect(text).toBe(
      [
        '### ✗ \\*x\\*\n\n1 failed.\n\n| a | b | c |\n| --- | --- | --- |',
        '| \\<img src\\=x\\> \\[a\\]\\(b\\) \\`c\\` | one \\| two \\# three | back\\\\slash\\| |\n\n',
      ].join('\n'),
    )
  })

  test('has at most 50 rows, and says how many are left', () => {
    const rows = Array.from({ length: 60 }, (_, index) => [String(index)])
    expect(jobSummary({ title: 'x', passed: false, counts: '', table: { heads: ['a'], rows } })).toContain(
      '\n10 more.\n',
    )
  })
})
