import { describe, expect } from 'vitest'
import { ruleNames, rules } from '../../src/control/findings/rules.js'
import { catalog } from '../../src/programs/audit/checks/catalog.js'
import { oneProcessTest as test } from '../harness/command-line.js'

/** A command that reads a list with the API key, at this address, and ends with a status. */
const app = (path: string, status = 0) => [
  process.execPath,
  '-e',
  `const { MOCKADEMY_URL: url, PLATFORM_API_KEY: key } = process.env
  fetch(url + ${JSON.stringify(path)}, { headers: { authorization: 'Bearer ' + key } })
    .then(({ ok }) => process.exit(ok ? ${status} : 99))`,
]

const careful = '/v0/elements'
const leaking = '/v0/elements?key=key_acme'

describe('exec --strict', () => {
  test('ends with 1 and says why when the command ended with 0 and there are errors', async ({ run }) => {
    const { status, stderr } = await run(['exec', '--strict=yes', '--', ...app(leaking)])
    expect(status).toBe(1)
    expect(stderr).toMatch(/broke rules of the platform/)
    expect(stderr).toMatch(
      /ERROR token_in_url \(acme\), once, spec: §5\.2\.7\n {2}An API key was sent in the URL of GET \/v0\/elements/,
    )
    // No command reaches an emulator that has ended.
    expect(stderr).not.toContain('mockademy requests')
    expect(stderr).toContain('\nTo see the exchanges, run it with --report run.html or --console.\n')
    expect(stderr).not.toContain('key_acme')
  })

  test('keeps the command’s own failure, which the errors may explain', async ({ run }) => {
    const { status, stderr } = await run(['exec', '--strict', '--', ...app(leaking, 7)])
    expect([status, stderr]).toEqual([7, expect.stringContaining('ERROR token_in_url (acme), once')])
  })

  /** Calls the API with a minted token in the path, once in each of two worlds. @param end what ends each world. */
  const suite = (end: [method: string, path: string]) => [
    process.execPath,
    '-e',
    `(async () => {
      const url = process.env.MOCKADEMY_URL
      const json = (path, body) => fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((response) => response.json())
      for (const round of [1, 2]) {
        await json('/_admin/installations', { app: 'notes', organization: 'acme', announce: false })
        const { access_token } = await json('/_admin/tokens', { app: 'notes', organization: 'acme' })
        await fetch(url + '/v0/elements/' + access_token + '?token=' + access_token)
        console.log(access_token)
        await fetch(url + ${JSON.stringify(end[1])}, { method: '${end[0]}' })
      }
    })()`,
  ]

  test('judges the whole run, also what was before a reset, and shows request and reason', async ({ run }) => {
    const { status, stdout, stderr } = await run(['exec', '--strict', '--', ...suite(['POST', '/_admin/reset'])])
    expect(status).toBe(1)
    expect(stderr).toMatch(/ERROR token_in_url \(notes in acme\), 2 times, spec: §5\.2\.7\n {2}A token was sent/)
    const line = 'GET /v0/elements/[redacted]?token=[redacted] 401: No Authorization header was sent'
    expect(stderr).toContain(`\n  ${line}\n`)
    for (const token of stdout.trim().split('\n')) expect(stderr).not.toContain(token)
  })

  test('does not judge findings that the command has deleted', async ({ run }) => {
    const { status, stderr } = await run(['exec', '--strict', '--', ...suite(['DELETE', '/_admin/findings'])])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('ends with 0 for a careful app, and for one that only causes hints', async ({ run }) => {
    expect((await run(['exec', '--strict', '--', ...app(careful)])).status).toBe(0)
    const keys = `(async () => {
      for (let i = 0; i < 3; i++) await (await fetch(process.env.MOCKADEMY_URL + '/.well-known/jwks.json')).text()
      const { data } = await (await fetch(process.env.MOCKADEMY_URL + '/_admin/findings')).json()
      console.log(data.map(({ rule, level }) => level + ' ' + rule).join())
    })()`
    const { status, stdout } = await run(['exec', '--strict', '--', process.execPath, '-e', keys])
    expect([status, stdout.trim()]).toEqual([0, 'hint uncached_keys'])
  })

  test('says that it is about nothing when the command sends no request but to the control API, like the other flags of a report', async ({
    run,
  }) => {
    const note = /^mockademy: note: the emulator that exec started received only.* startEmulator .*\n$/m
    const silent = ['--', process.execPath, '-e', '0']
    for (const flags of [
      ['--strict'],
      ['--report', 'run.html'],
      ['--coverage'],
      ['--liberties', '1..2'],
      ['--repeat', '2'],
    ]) {
      const ended = await run(['exec', ...flags, ...silent])
      expect([flags, ended.status]).toEqual([flags, 0])
      expect(ended.stderr.match(new RegExp(note, 'gm'))).toHaveLength(1)
    }
    const reset = "fetch(process.env.MOCKADEMY_URL + '/_admin/reset', { method: 'POST' })"
    const controlled = await run(['exec', '--strict', '--', process.execPath, '-e', reset])
    expect([controlled.status, controlled.stderr]).toEqual([0, expect.stringMatching(note)])
    for (const flags of [[], ['--report-on-failure']]) {
      expect(await run(['exec', ...flags, ...silent])).toMatchObject({ status: 0, stderr: '' })
    }
    const failed = await run(['exec', '--report-on-failure', '--', process.execPath, '-e', 'process.exit(3)'])
    expect([failed.status, failed.stderr]).toEqual([3, expect.stringMatching(note)])
  })

  test('without it errors do not change the status', async ({ run }) => {
    expect(await run(['exec', '--', ...app(leaking)])).toMatchObject({ status: 0, stderr: '' })
  })
})

describe('findings', () => {
  test('shows, filters and clears what a running emulator has found', async ({ run, start }) => {
    const { url } = await start(['start', '--port', '0', '--store', 'memory'])
    const env = { MOCKADEMY_URL: url }
    expect((await run(['findings'], { env })).stdout).toMatch(/No findings/)
    await fetch(url + leaking, { headers: { authorization: 'Bearer key_acme' } })
    const shown = await run(['findings', '--level', 'error'], { env })
    expect(shown).toMatchObject({ status: 0, stderr: '' })
    expect(shown.stdout).toMatch(/ERROR token_in_url/)
    const reached = await run(['findings', '--url', url])
    const [, ...words] = /^ {2}See: mockademy (requests) (show) (\d+) (--url) (\S+)$/m.exec(reached.stdout) ?? []
    expect((await run(words)).stdout).toContain('"path": "/v0/elements"')
    expect(reached.stdout).toMatch(/^ {2}Audit: mockademy audit --only api\.bearer --url \S+$/m)
    expect((await run(['findings', '--rule', 'polling'], { env })).stdout).toMatch(/No findings/)
    expect((await run(['findings', '--clear'], { env })).stdout).toMatch(/ERROR token_in_url/)
    expect((await run(['findings'], { env })).stdout).toMatch(/No findings/)
  })

  test('--explain says what a rule means and where it comes from, without an emulator', async ({ run }) => {
    const { status, stdout } = await run(['findings', '--explain', 'early_refresh'])
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^early_refresh \(error, spec: §5\.2\.3\)\nEvery refresh rotates.*\nSee: \S+\/docs\/platform\.md#s5\.2\.3\nAudit: mockademy audit --only api\.not-early\n$/,
    )
    const hint = await run(['findings', '--explain', 'polling'])
    expect(hint.stdout).toMatch(/^polling \(hint, spec: §6\)\n/)
  })

  test('names the check of the audit that belongs to a rule, which the audit has', async ({ run }) => {
    const explained = await run(['findings', '--explain', 'concurrent_refresh'])
    expect(explained.stdout).toMatch(/^Audit: mockademy audit --only api\.stampede$/m)
    const { stdout } = await run(['findings', '--explain', 'polling'])
    expect(stdout).not.toContain('Audit:')
    const ids = catalog.map(({ id }) => id)
    expect(
      ruleNames.map((name) => rules[name].check).filter((check) => check !== undefined && !ids.includes(check)),
    ).toEqual([])
  })

  test('--explain of a rule that is not there says which one is near', async ({ run }) => {
    const { status, stdout, stderr } = await run(['findings', '--explain', 'early_refesh'])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/there is no rule "early_refesh".*early_refresh/)
  })
})

describe('--runs', () => {
  test('shows what a run of an audit caused, too', async ({ run, start }) => {
    const { url } = await start(['start', '--port', '0', '--store', 'memory'])
    const env = { MOCKADEMY_URL: url }
    const organizations = [{ slug: 'tried', run: 'audit-1', api_key: 'key_tried' }]
    const headers = { 'content-type': 'application/json' }
    await fetch(`${url}/_admin/fixtures`, { method: 'POST', headers, body: JSON.stringify({ organizations }) })
    await fetch(`${url}/v0/elements?key=key_tried`, { headers: { authorization: 'Bearer key_tried' } })
    expect((await run(['findings'], { env })).stdout).toMatch(/No findings/)
    expect((await run(['findings', '--runs'], { env })).stdout).toMatch(/ERROR token_in_url \(tried\)/)
    expect((await run(['requests'], { env })).stdout).toBe('none\n')
    const { stdout } = await run(['requests', '--runs'], { env })
    const id = /^(\d+) .* tried /m.exec(stdout)?.[1] ?? ''
    expect((await run(['requests', 'show', id], { env })).stdout).toContain('"run": "audit-1"')
    expect((await run(['requests', '--run', 'audit-1', '--count'], { env })).stdout).toMatch(/count +1/)
    expect((await run(['deliveries', 'list', '--runs'], { env })).stdout).toBe('none\n')
  })
})
