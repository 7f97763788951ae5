import { describe, expect } from 'vitest'
import { type RunOnce, runSeeds, smallestFailing } from '../../src/programs/cli/commands/seeded-runs.js'
import { oneProcessTest as test } from '../harness/command-line.js'

/** An app that searches JSON's text: it ends with 3 when the keys are in another order. */
const FRAGILE = `
  const { PLATFORM_BASE_URL: url, PLATFORM_API_KEY: key } = process.env
  fetch(url + '/v0/courses', { headers: { authorization: 'Bearer ' + key } })
    .then((response) => response.text())
    .then(async (text) => {
      await fetch(url + '/v0/members', { headers: { authorization: 'Bearer ' + key } })
      process.exit(text.startsWith('{"error":null,"payload":') ? 0 : 3)
    })`

const command = ['--', process.execPath, '-e', FRAGILE]

describe('exec --liberties', () => {
  test('runs the command once a seed, prints a table and ends with the first failure', async ({ run }) => {
    const plain = await run(['exec', ...command])
    expect(plain).toMatchObject({ status: 0, stderr: '' })
    const { status, stderr } = await run(['exec', '--liberties=1..3', '--liberty-kinds', 'key-order,gzip', ...command])
    expect(status).toBe(3)
    const lines = stderr.trim().split('\n')
    const head = lines.findIndex((line) => /^seed +result +liberties taken$/.test(line))
    const rows = lines.slice(head + 1, -1)
    expect(rows.map((row) => row.split(/ +/)[0])).toEqual(['1', '2', '3'])
    expect(rows.some((row) => /^\d +failed with 3 +.*key-order/.test(row))).toBe(true)
    expect(lines.at(-1)).toMatch(/^\d passed, \d failed: \d/)
    expect(lines[0]).toMatch(
      /^Seed (\d) ended with 3\. Again: mockademy exec --liberty-kinds key-order,gzip --liberties \1 -- /,
    )
  })

  test('prints a table of a range of one seed too', async ({ run }) => {
    const { status, stderr } = await run(['exec', '--liberties', '2..2', '--liberty-kinds', 'gzip', ...command])
    expect({ status, lines: stderr.trim().split(/\s*\n\s*/) }).toEqual({
      status: 0,
      lines: [
        expect.stringMatching(/^seed +result +liberties taken$/),
        expect.stringMatching(/^2 +passed/),
        '1 passed, 0 failed',
      ],
    })
  })

  test('--bail stops there, and --why names the one that breaks the command', async ({ run }) => {
    const flags = ['--liberties', '1..20', '--bail', '--why']
    const { status, stderr } = await run(['exec', ...flags, ...command])
    expect(status).toBe(3)
    expect(stderr).toMatch(/^Seed (\d+) ended with 3\. Again: mockademy exec --liberties \1 -- /m)
    expect(stderr).toMatch(
      /Why: with seed \d+ the command fails under\n {2}key-order, first met by GET \/v0\/courses with status 200, entry 1\n/,
    )
    expect(stderr.match(/^\d+ +(passed|failed with \d+) /gm)?.length).toBeLessThan(20)
  })

  test('goes on after a command that a signal of its own ended', async ({ run }) => {
    const { status, stderr } = await run([
      'exec',
      '--liberties',
      '1..2',
      '--',
      process.execPath,
      '-e',
      "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)",
    ])
    expect(status).toBe(143)
    expect(stderr).toContain('0 passed, 2 failed: 1, 2')
  })

  test('random says how to repeat it, first and last', async ({ run }) => {
    const { stderr } = await run([
      'exec',
      '--liberties',
      'random',
      '--liberty-kinds',
      'slow',
      '--',
      process.execPath,
      '-e',
      '0 + 0; fetch(process.env.MOCKADEMY_URL)',
    ])
    const lines = stderr.trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toBe(lines[1])
    expect(lines[0]).toMatch(
      /^Liberties by seed (\d+); again: mockademy exec --liberty-kinds slow --liberties \1 -- .* -e '0 \+ 0; fetch\(process\.env\.MOCKADEMY_URL\)'$/,
    )
  })

  test('takes kinds that begin with -', async ({ run }) => {
    const kinds = ['exec', '--liberties', '1', '--liberty-kinds', '-key-order,-more-fields']
    expect(await run([...kinds, ...command])).toMatchObject({ status: 0, stderr: '' })
  })

  test('needs a seed, for --why too', async ({ run }) => {
    const withoutSeed = await run(['exec', '--liberties', ...command])
    expect(withoutSeed).toMatchObject({ status: 2, stderr: expect.stringContaining('--liberties needs a value') })
    const why = await run(['exec', '--why', ...command])
    expect(why).toMatchObject({ status: 2, stderr: expect.stringContaining('--why needs a seed: --liberties 7') })
  })

  test('refuses --bail where there are no seeds, and an empty command', async ({ run }) => {
    const bail = await run(['exec', '--bail', ...command])
    const needs = 'mockademy: --bail needs seeds: --liberties 1..20, or --repeat\n'
    expect(bail).toMatchObject({ status: 2, stderr: expect.stringContaining(needs) })
    const empty = await run(['exec', '--', ''])
    expect(empty).toMatchObject({ status: 2, stderr: expect.stringContaining('exec needs a command after --') })
  })

  test.for(['3..1', '1...20', '1..', '..3', 'a..b', '1.5..2'])(
    'refuses a range that is none: %s',
    async (text, { run }) => {
      expect(await run(['exec', '--liberties', text, ...command])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('must be a range of 1 to 1000 seeds'),
      })
    },
  )
})

describe('the search for what fails', () => {
  const one = { seeds: ['12'], isSeries: false, bail: false, why: true, again: String }

  test('keeps the seed of the world that failed', async () => {
    const given: Parameters<RunOnce>[0][] = []
    const run: RunOnce = async (settings) => {
      given.push(settings)
      return {
        status: settings.liberties === '' ? 0 : 3,
        isInterrupted: false,
        touched: new Map([['ids', 'GET /v0/courses']]),
      }
    }
    await runSeeds({ ...one, setting: 'seed', print: () => {} }, run)
    const tried = [
      { seed: '12', liberties: '' },
      { seed: '12', liberty_kinds: ['ids'] },
    ]
    expect(given).toEqual([{ seed: '12' }, ...tried, ...tried.toReversed()])
  })

  // The runs: of the seed, without liberties, with the only one that was met, with it again, without again.
  test.for([
    [
      'fails without liberties now and then',
      [1, 0, 1, 0, 1],
      ['Why: the command fails without liberties too, now and then.'],
    ],
    [
      'fails now and then',
      [1, 0, 1, 0, 0],
      ['Why: with seed 12 the command fails now and then under\n  ids, first met by GET /v0/courses'],
    ],
    ['is interrupted at once', [1, 130], []],
    ['is interrupted in the search', [1, 0, 130], []],
    ['is interrupted at last', [1, 0, 1, 1, 130], []],
    ['is interrupted and ends well', [1, 'stopped'], []],
  ] as const)('a command that %s', async ([, statuses, reasons]) => {
    const left = [...statuses]
    const run: RunOnce = async () => {
      const end = left.shift()
      const isInterrupted = end === 130 || end === 'stopped'
      return {
        status: end === 'stopped' ? 0 : Number(end),
        isInterrupted,
        touched: new Map([['ids', 'GET /v0/courses']]),
      }
    }
    const printed: string[] = []
    const print = (text: string) => void printed.push(text)
    await runSeeds({ ...one, setting: 'liberties', print }, run)
    expect(printed).toEqual(reasons)
    expect(left).toEqual([])
  })

  test('finds the smallest set, also of several', async () => {
    const all = Array.from({ length: 20 }, (_, index) => index)
    const fails = async (some: number[]) => [3, 4, 17].every((item) => some.includes(item))
    expect(await smallestFailing(all, fails)).toEqual([3, 4, 17])
    expect(await smallestFailing(all, async () => false)).toEqual([])
  })
})
