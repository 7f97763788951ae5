import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { audit, startEmulator } from 'mockademy'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { connectAsRun } from '../../src/control/client/connect.js'
import type { GuardedExchange } from '../../src/foundation/http-client/guarded-client.js'
import type { Browser } from '../../src/programs/audit/app/browser.js'
import { Consequence } from '../../src/programs/audit/app/failures.js'
import { createSessionReader } from '../../src/programs/audit/app/session.js'
import { catalog } from '../../src/programs/audit/checks/catalog.js'
import type { Check, Severity, Verdict } from '../../src/programs/audit/checks/check.js'
import { type AuditContext, createOnce } from '../../src/programs/audit/context/context.js'
import { restartApp } from '../../src/programs/audit/context/restart.js'
import { checkLines, endLines } from '../../src/programs/audit/present-report.js'
import type { AuditReport, CheckResult, Outcome } from '../../src/programs/audit/report.js'
import { runChecks } from '../../src/programs/audit/run-checks.js'
import { freePort } from '../harness/free-port.js'
import { commandOf, serve } from '../harness/serve.js'
import { SECRET, test } from './small-app.js'

const FILE = `// What the audit must know
{
  "app": "small", // its manifest id
  "background": "100ms",
}`

const hmacOf = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest()

const only = ['--only', 'webhook.unsigned', '--only', 'webhook.accepts', '--only', 'api.bearer']

const never = new AbortController().signal

/** A context of checks that need no app. */
const contextWith = (parts: object) =>
  ({
    app: { parts: {} },
    file: {},
    signal: never,
    patience: { checkTimeout: () => 60_000, effectDelay: () => 250 },
    ...parts,
  }) as unknown as AuditContext

/** Parts of a context whose app is at a URL and is restarted by a command. */
const restartable = (url: string, restart: string) => ({
  app: { webhook: url, callbacks: [], manifest: {} },
  file: { restart },
  folder: '.',
  platform: { made: [] },
  forgetSilence: () => undefined,
  rules: { trust_hosts: [], allow_public_webhooks: false },
})

describe('mockademy audit', () => {
  test('--list prints the catalog and runs nothing', async ({ run }) => {
    const { status, stdout } = await run(['audit', '--list', '--only', 'webhook.*'])
    const ids = catalog.map(({ id }) => id).filter((id) => id.startsWith('webhook.'))
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(ids)
    expect(status).toBe(0)
  })

  test('--list --json prints the catalog for programs', async ({ run }) => {
    const { stdout } = await run(['audit', '--list', '--json', '--only', 'leaks*'])
    expect(JSON.parse(stdout)).toEqual({
      checks: [
        { id: 'leaks', title: 'leaks no tokens, codes or secrets', severity: 'critical', needs: [] },
        { id: 'leaks.at-rest', title: 'stores no token in clear text', severity: 'medium', needs: ['data'] },
      ],
    })
  })

  test('folds at the width of the terminal, joins skips of one cause and ends with what failed', async ({
    app,
    run,
    folder,
  }) => {
    app.behaves((_, response) => void response.writeHead(200).end('<!doctype html><h1>All is well</h1>'))
    await writeFile(join(folder, 'mockademy.audit.json'), FILE)
    const only = ['webhook.unsigned', 'webhook.altered', 'api.bearer', 'api.stampede'].flatMap((id) => ['--only', id])
    const { stdout } = await run(['audit', '--url', app.emulator.url, ...only], { env: { COLUMNS: '60' } })
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.length > 60 && !/curl|mockademy/.test(line))).toEqual([])
    expect(stdout).toContain('status 200 "All is well"')
    expect(stdout).not.toContain('doctype')
    const end = stdout.slice(stdout.indexOf('- 2 skipped.'))
    expect(end.replace(/\n {2,}/g, ' ')).toMatch(
      /^- 2 skipped\. The audit file does not declare "probe": api\.bearer, api\.stampede\n\n✗ critical +webhook\.unsigned: .*\n✗ critical +webhook\.altered: .*\n\nThe audit of small did not pass/,
    )
  })

  test('within exec, names no address of the emulator that ends with it', async ({ app, run, folder }) => {
    app.behaves((_, response) => void response.writeHead(500).end())
    await writeFile(join(folder, 'mockademy.audit.json'), FILE)
    const env = { MOCKADEMY_WITHIN_RUN: '1', MOCKADEMY_URL: app.emulator.url }
    const { stdout } = await run(['audit', '--only', 'webhook.accepts'], { env })
    expect(stdout).toMatch(/ +again +mockademy audit --only webhook\.accepts$/m)
    expect(stdout).not.toContain('--url')
    const facts = { sent: null, seen: null, expected: '', source: '', remedy: '', docs: '', entries: [8, 9] }
    const check = { id: 'api.bearer', title: '', outcome: 'fail', severity: 'high', message: '' } as const
    const result = { ...check, ...facts }
    const lines = checkLines(
      result,
      { run: 'mockademy audit', reach: '', isEnding: true },
      { width: 200, color: false },
    )
    expect(lines).toMatch(/ +journal entries +8, 9 \(in the report of the run: exec --report-on-failure\)$/m)
    expect(lines).not.toContain('requests show')
  })

  test('the end lists failures first, and what is inconclusive for one reason in one line', () => {
    const result = (id: string, severity: Severity, outcome: Outcome, message: string) =>
      ({ id, severity, outcome, message }) as CheckResult
    const checks = [
      result('signin.works', 'critical', 'inconclusive', 'No user'),
      result('api.pages', 'high', 'fail', 'Lists 1 of 3'),
      result('signin.cookie', 'high', 'inconclusive', 'No user'),
      result('api.bearer', 'high', 'inconclusive', 'No call'),
      result('signin.request', 'critical', 'fail', 'No state'),
    ]
    const report = { app: 'small', passed: false, checks } as AuditReport
    expect(endLines(report, { width: 200, color: false }).split('\n').slice(1, -3)).toEqual([
      '✗ critical     signin.request: No state',
      '✗ high         api.pages: Lists 1 of 3',
      '? inconclusive signin.works, signin.cookie: No user',
      '? inconclusive api.bearer: No call',
    ])
  })

  test.for<[what: string, type: string, body: string, seen: string]>([
    ['text by its first line', 'text/plain', '\nbad signature\nat verify\n', 'status 500: bad signature'],
    ['text that is sent as HTML by its first line', 'text/html', 'bad signature', 'status 500: bad signature'],
    ['text with a mark-up character as it is', 'text/plain', 'a <h1>b</h1>', 'status 500: a <h1>b</h1>'],
    ['a page by its title', 'text/html', '<html><title>Not\nfound</title><p>Sorry', 'status 500 "Not found"'],
    [
      'a page without a title by its first line',
      'text/html',
      '<html><style>p { margin: 0 }</style><p>Sorry</p><p>Gone</p>',
      'status 500: Sorry',
    ],
    ['JSON in one line', 'application/json', '{\n  "error": "no"\n}', 'status 500: { "error": "no" }'],
    ['long JSON by its beginning', 'application/json', `["${'x'.repeat(300)}"]`, `status 500: ["${'x'.repeat(198)}…`],
    ['an empty page by its status', 'text/html', '<html></html>', 'status 500'],
  ])('shows %s', async ([, type, body, seen], { app }) => {
    app.behaves((isGenuine, response) => {
      response.writeHead(isGenuine ? 200 : 500, { 'content-type': type }).end(isGenuine ? '' : body)
    })
    const file = { app: 'small', background: '1ms' } as const
    const { checks } = await audit({ url: app.emulator.url, file, only: ['webhook.unsigned'] })
    expect(checks).toMatchObject([{ outcome: 'fail', seen }])
  })

  test('the remedies of webhooks and of the API name libraries, and each language once', () => {
    for (const { id, remedy } of catalog) {
      const [advice, ...lines] = remedy.split('\n')
      expect(advice, id).toMatch(/[.]$/)
      const languages = lines.map((line) => line.split(': ')[0])
      const stacks = ['Node', 'Python', 'Go', 'Ruby', 'PHP']
      expect(languages, id).toEqual(stacks.filter((stack) => languages.includes(stack)))
    }
    const remedyOf = (id: string) => catalog.find((check) => check.id === id)?.remedy
    const words = [/timingSafeEqual/, /compare_digest/, /hmac\.Equal/, /secure_compare/, /hash_equals/]
    for (const word of words) expect(remedyOf('webhook.unsigned')).toMatch(word)
    for (const word of [/express\.raw/, /get_data/, /io\.ReadAll/, /raw_post/, /php:\/\/input/]) {
      expect(remedyOf('webhook.raw-body')).toMatch(word)
    }
    expect(remedyOf('api.stampede')).toMatch(/singleflight/)
  })

  test('waits for an app that has just been started', async () => {
    await using emulator = await startEmulator({ journalAdmin: true })
    const port = await freePort()
    const webhook = { url: `http://127.0.0.1:${port}/webhook` }
    await emulator.admin.createApp({ manifest: { id: 'late', name: 'Late', version: '1.0.0', webhook } })
    const auditing = audit({ url: emulator.url, file: { app: 'late' }, only: ['webhook.unsigned'] })
    // The last call before it looks for the app.
    const calls = () => emulator.admin.countRequests({ path: '/_admin/apps/late/secrets', run: 'any' })
    await expect.poll(calls).toEqual({ count: 1 })
    await serve((_, response) => void response.writeHead(401).end(), { port })
    expect((await auditing).checks).toMatchObject([{ outcome: expect.any(String) }])
  })

  test('does not connect to an app on a host that may not be called, and says how to allow it', async () => {
    await using emulator = await startEmulator()
    const webhook = { url: 'https://192.0.2.1/webhook' }
    await emulator.admin.createApp({ manifest: { id: 'far', name: 'Far', version: '1.0.0', webhook } })
    await expect(audit({ url: emulator.url, file: { app: 'far' } })).rejects.toMatchObject({
      name: 'AuditFailure',
      message: expect.stringMatching(/^192\.0\.2\.1 .* was not called.*trust_hosts/),
    })
  })

  test('a report that cannot be written is refused before the audit', async ({ app, run, folder }) => {
    await writeFile(join(folder, 'mockademy.audit.json'), FILE)
    const before = await app.emulator.admin.countRequests({ run: 'any' })
    for (const flag of ['--junit', '--sarif', '--markdown']) {
      for (const file of ['.', 'n'.repeat(300)]) {
        expect(await run(['audit', '--url', app.emulator.url, flag, file])).toMatchObject({
          status: 2,
          stdout: '',
          stderr: expect.stringMatching(`^mockademy: ${file} cannot be written: (it is a folder|ENAMETOOLONG)`),
        })
      }
    }
    const same = [
      [['--junit', './mockademy.audit.json'], 'the audit file and --junit name the same file, ./mockademy.audit.json'],
      [['--junit', 'x', '--markdown', './x'], '--junit and --markdown name the same file, ./x'],
    ] as const
    for (const [flags, why] of same) {
      const refused = { status: 2, stdout: '', stderr: `mockademy: ${why}: name another one\n` }
      expect(await run(['audit', '--url', app.emulator.url, ...flags])).toMatchObject(refused)
    }
    expect(await readFile(join(folder, 'mockademy.audit.json'), 'utf8')).toBe(FILE)
    expect(await app.emulator.admin.countRequests({ run: 'any' })).toEqual(before)
  })

  test('an emulator that rejects the token and another program are named as such', async ({ run, folder }) => {
    await writeFile(join(folder, 'mockademy.audit.json'), FILE)
    await using emulator = await startEmulator({ adminToken: 'right' })
    const { url } = await serve((_, response) => void response.end('<h1>hello</h1>'))
    const audited = async (...args: string[]) => {
      const { status, stderr } = await run(['audit', ...args])
      return { status, stderr }
    }
    expect(await audited('--url', emulator.url, '--admin-token', 'wrong')).toEqual({
      status: 2,
      stderr: 'mockademy: The control API rejected the admin token (--admin-token or MOCKADEMY_ADMIN_TOKEN)\n',
    })
    expect(await audited('--url', url)).toEqual({
      status: 2,
      stderr: `mockademy: No emulator answers at ${url}: the server there (it responded with status 200) is not Mockademy\n`,
    })
  })

  test('ends without a verdict when somebody resets the world meanwhile', async ({ app }) => {
    const { url, admin } = app.emulator
    app.behaves(async (isGenuine, response) => {
      if (!isGenuine) await admin.reset()
      response.writeHead(isGenuine ? 200 : 401).end()
    })
    await expect(audit({ url, file: { app: 'small' }, only: ['webhook.unsigned'] })).rejects.toMatchObject({
      name: 'AuditFailure',
      message: expect.stringContaining(
        "the emulator's world was replaced during the audit, e.g. by a reset; run it again",
      ),
    })
  })

  test('the reproduction of a failure runs, and signs what has to be genuine itself', async ({ app }) => {
    let judged: boolean[] = []
    app.behaves((isGenuine, response) => {
      judged.push(isGenuine)
      response.writeHead(isGenuine ? 200 : 401).end()
    })
    const { checks } = await audit({ url: app.emulator.url, file: { app: 'small' }, only: ['webhook.garbage'] })
    const command = checks[0]?.sent ?? ''
    expect(command).toContain('openssl dgst -sha256 -hmac "$PLATFORM_SIGNING_SECRET"')
    judged = []
    await promisify(execFile)('bash', ['-c', command], { env: { ...process.env, PLATFORM_SIGNING_SECRET: SECRET } })
    expect(judged).toEqual([true])
  })

  test('the reproduction of a body with newlines runs in any POSIX shell', async ({ app }) => {
    let sent: [signature: unknown, body: string][] = []
    app.behaves((_, response, body) => {
      sent.push([response.req.headers['platform-signature'], body])
      response.writeHead(200).end()
    })
    const { checks } = await audit({ url: app.emulator.url, file: { app: 'small' }, only: ['webhook.reserialised'] })
    sent = []
    const env = { ...process.env, PLATFORM_SIGNING_SECRET: SECRET }
    await promisify(execFile)('sh', ['-c', checks[0]?.sent ?? ''], { env })
    const value = JSON.parse(sent[0]?.[1] ?? '')
    const signature = hmacOf(SECRET, JSON.stringify(value)).toString('hex')
    expect(sent).toEqual([[signature, JSON.stringify(value, null, 2)]])
  })

  test('the reproduction of a byte that is not UTF-8 prints that byte', async ({ app }) => {
    app.behaves((isGenuine, response, body) => {
      response.writeHead(isGenuine || body.includes('\ufffd') ? 200 : 401).end()
    })
    const file = { app: 'small', background: 1 }
    const { checks } = await audit({ url: app.emulator.url, file, only: ['webhook.altered'] })
    // An A with its highest bit set.
    expect(checks[0]?.sent).toMatch(/^printf %b '.*"\\0301udit .*' \| curl .* --data-binary @-$/)
  })

  test.for([
    ['webhook.short-signature', (text: string) => hmacOf(SECRET, text).toString('hex').slice(0, 8)],
    ['webhook.odd-signature', (text: string) => hmacOf(SECRET, text).toString('base64')],
    ['webhook.other-secret', (text: string) => hmacOf('', text).toString('hex')],
  ] as const)('so does that of %s, whose signature is made of what it shows', async ([check, forge], { app }) => {
    app.behaves((isGenuine, response, body) => {
      const isForged = response.req.headers['platform-signature'] === forge(body)
      response.writeHead(isGenuine || isForged ? 200 : 401).end()
    })
    const file = { app: 'small', background: 1 }
    const { checks } = await audit({ url: app.emulator.url, file, only: [check] })
    const { stdout } = await promisify(execFile)('bash', ['-c', checks[0]?.sent ?? ''], {
      env: { ...process.env, PLATFORM_SIGNING_SECRET: SECRET },
    })
    expect(stdout).toContain('200 OK')
  })

  test.for([
    [
      'decodes it as ISO-8859-1',
      (body: string) => Buffer.from(body).toString('latin1'),
      'A genuine webhook with Ö and 😀 in a name, as UTF-8, was not accepted: status 401',
      '"Audit \\0303\\0226wner \\0360\\0237\\0230\\0200 ',
    ],
    [
      'serializes its JSON again',
      (body: string) => JSON.stringify(JSON.parse(body)),
      'A genuine webhook with extra spaces, escapes, another key order and a final newline, was not accepted: status 401',
      '"\\\\u0041udit Owner ',
    ],
  ] as const)(
    'an app that verifies the body once it %s is told which body it rejects',
    async ([, read, message, shown], { app }) => {
      app.behaves((_, response, body) => {
        const isGenuine = response.req.headers['platform-signature'] === hmacOf(SECRET, read(body)).toString('hex')
        response.writeHead(isGenuine ? 200 : 401).end()
      })
      const { checks } = await audit({ url: app.emulator.url, file: { app: 'small' }, only: ['webhook.raw-body'] })
      expect(checks).toMatchObject([{ outcome: 'fail', message, sent: expect.stringContaining(shown) }])
    },
  )

  test('reviews an app: a line for each check, what is missing is named, status 0', async ({ app, run, folder }) => {
    await writeFile(join(folder, 'mockademy.audit.json'), FILE)
    const { status, stdout, stderr } = await run(['audit', '--url', app.emulator.url, ...only])
    expect(stderr).toBe('')
    expect(stdout).toMatch(/✓ webhook\.accepts/)
    expect(stdout).toMatch(/- 1 skipped\. The audit file does not declare "probe": api\.bearer\n/)
    expect(stdout).toMatch(/The audit of small passed: 2 passed, 1 skipped/)
    expect(status).toBe(0)
  })

  test('explains a failure, writes it down as JUnit and Markdown, and ends with status 1', async ({
    app,
    run,
    folder,
  }) => {
    app.behaves((_, response) => void response.writeHead(200).end('{"received":true}'))
    await writeFile(join(folder, 'app.json'), FILE)
    const reports = ['--junit', 'audit.xml', '--markdown', 'audit.md']
    const { status, stdout, stderr } = await run(
      ['audit', 'app.json', '--url', app.emulator.url, '--json', ...only, ...reports],
      { env: { GITHUB_ACTIONS: 'true' } },
    )
    expect(status).toBe(1)
    expect(stderr.match(/^::\w+ title=[^:]*/gm)).toEqual([
      '::error title=webhook.accepts',
      '::error title=webhook.unsigned',
    ])
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      app: 'small',
      passed: false,
      summary: { pass: 0, fail: 1, warn: 0, skip: 1, inconclusive: 1, accepted: 0 },
    })
    const [accepts, unsigned] = report.checks
    expect(accepts).toMatchObject({
      id: 'webhook.accepts',
      outcome: 'inconclusive',
      remedy: 'Fix what the message describes, then run this check again.',
    })
    expect(unsigned).toEqual({
      id: 'webhook.unsigned',
      title: 'rejects a webhook without a signature',
      severity: 'critical',
      outcome: 'fail',
      message: 'A webhook without a signature header was accepted (status 200)',
      sent: expect.stringMatching(
        /^curl -i -X POST http:\/\/127\.0\.0\.1:\d+\/webhook -H 'content-type: application\/json' -H 'platform-idempotency-key: evt_\w+' --data-raw '\{"id":"evt_.*"access_token":"\[access token\]","refresh_token":"\[refresh token\]"/,
      ),
      expected: 'Returns a 4xx, not a 2xx or 5xx, and ignores the content of the webhook.',
      seen: expect.stringContaining('status 200: {"received":true}'),
      source: 'spec: §5.2.8, §6.5',
      remedy: expect.stringContaining('HMAC-SHA256'),
      docs: expect.stringMatching(/\/docs\/checks\.md#webhook\.unsigned$/),
      entries: [],
    })
    const xml = await readFile(join(folder, 'audit.xml'), 'utf8')
    const again = `mockademy audit app.json --url ${app.emulator.url} --only webhook.unsigned`
    expect(xml).toContain(again)
    const { stdout: shown } = await run(again.split(' ').slice(1))
    expect(shown).toContain(`  again           ${again}\n`)
    expect(xml).toMatch(/<testsuite name="audit of small" tests="3" failures="1" errors="1" skipped="1">/)
    const cases = [...xml.matchAll(/<testcase .*?(?:\/>|<\/testcase>)/gs)].map(([text]) => text)
    expect(cases.map((text) => text.match(/<(failure|error|skipped)\b/g))).toEqual([
      ['<error'],
      ['<failure'],
      ['<skipped'],
    ])
    const markdown = await readFile(join(folder, 'audit.md'), 'utf8')
    expect(markdown).toMatch(/^# Audit of small: not passed/)
    expect(markdown).toContain('## webhook.unsigned: fail (critical)')
  })

  test('shows what an app says as text in a page of Markdown, whatever markup it has', async ({ app, run, folder }) => {
    const type = { 'content-type': 'text/plain' }
    const said = 'expected <Thing>, not \\<img src=x> or ![it](http://x.test/p.png)'
    app.behaves((_, response) => void response.writeHead(500, type).end(said))
    await writeFile(join(folder, 'app.json'), FILE)
    const flags = ['--only', 'webhook.accepts', '--markdown', 'audit.md']
    expect((await run(['audit', 'app.json', '--url', app.emulator.url, ...flags])).status).toBe(1)
    const markdown = await readFile(join(folder, 'audit.md'), 'utf8')
    expect(markdown).toContain('expected \\<Thing>, not \\\\\\\\\\<img src=x> or !\\[it](http://x.test/p.png)')
  })

  test('an accepted failure fails no longer, and one that is gone must be taken out', async ({ app }) => {
    app.behaves((isGenuine, response) => void response.writeHead(isGenuine ? 200 : 500).end())
    const { url } = app.emulator
    const accept = { 'webhook.unsigned': 'fixed in 2.0' }
    const checks = ['webhook.unsigned', 'webhook.unknown-event']
    const known = await audit({ url, file: { app: 'small', accept, background: '100ms' }, only: checks })
    expect(known.checks[0]).toMatchObject({
      outcome: 'accepted',
      message: 'A webhook without a signature header made the app fail (status 500) (accepted: fixed in 2.0)',
    })
    expect(known).toMatchObject({ passed: true, summary: { accepted: 1, pass: 1 } })

    app.behaves((isGenuine, response) => void response.writeHead(isGenuine ? 200 : 401).end())
    const stale = await audit({ url, file: { app: 'small', accept, background: '100ms' }, only: checks })
    expect(stale.passed).toBe(false)
    expect(stale.checks[0]).toMatchObject({ outcome: 'fail', remedy: 'Remove webhook.unsigned from "accept".' })

    const mild = { app: 'small', accept: { 'webhook.unknown-event': 'fixed in 2.0' }, background: '100ms' } as const
    const severe = await audit({ url, file: mild, only: checks, failOn: 'critical' })
    expect(severe).toMatchObject({ passed: false, checks: [{ outcome: 'pass' }, { outcome: 'fail', stale: true }] })
  })

  test('--fail-on and --bail decide what a failure does', async ({ app }) => {
    app.behaves((isGenuine, response) => void response.writeHead(isGenuine ? 200 : 401).end())
    const { url } = app.emulator
    const medium = { file: { app: 'small', background: 100 }, only: ['webhook.unknown-event', 'webhook.garbage'] }
    expect((await audit({ url, ...medium })).checks).toMatchObject([{ outcome: 'pass' }, { outcome: 'fail' }])
    expect((await audit({ url, ...medium })).passed).toBe(false)
    expect((await audit({ url, ...medium, failOn: 'high' })).passed).toBe(true)
    app.behaves((_, response, body) => void response.writeHead(body.includes('unknown_event') ? 400 : 200).end())
    const [unknown] = (await audit({ url, ...medium, only: ['webhook.unknown-event'] })).checks
    expect(unknown).toMatchObject({
      message: expect.stringMatching(/^An event of an unknown type was not acknowledged: status 400/),
    })
    // Some parsers drop null from arrays, so that an app that verifies a parsed body rejects it as forged.
    const keepsNull = (body: string) => !/\[[^\]]*null/.test(body)
    app.behaves((isGenuine, response, body) => void response.writeHead(isGenuine && keepsNull(body) ? 200 : 401).end())
    expect((await audit({ url, ...medium, only: ['webhook.unknown-event'] })).checks).toMatchObject([
      { outcome: 'pass' },
    ])
    const bailed = await audit({
      url,
      file: { app: 'small' },
      only: ['webhook.garbage', 'leaks'],
      bail: true,
    })
    expect(bailed.checks).toMatchObject([
      { outcome: 'fail' },
      { outcome: 'skip', message: 'Not run after a failure (--bail)' },
    ])
  })

  test('--timeout ends a run: what was not reached is inconclusive, the world is put back', async ({
    app,
    launch,
    folder,
  }) => {
    const { admin, url } = app.emulator
    const before = await admin.listOrganizations()
    app.behaves(() => {})
    await writeFile(join(folder, 'mockademy.audit.json'), FILE)
    const flags = ['--timeout', '2s', '--json', '--only', 'webhook.acknowledges-first', '--only', 'webhook.burst']
    const { status, stdout } = await launch(['audit', '--url', url, ...flags]).ended
    expect(JSON.parse(stdout)).toMatchObject({
      passed: false,
      checks: [
        { outcome: 'inconclusive', message: 'Not finished before the time of the audit was over (timeout)' },
        { outcome: 'inconclusive', message: 'Not reached before the time of the audit was over (timeout)' },
      ],
    })
    expect(status).toBe(1)
    expect(await admin.listOrganizations()).toEqual(before)
    expect(await admin.listFaults()).toEqual([])
    // Skipping undeclared checks takes no time.
    const late = await audit({ url, file: { app: 'small' }, timeout: '1ms', only: ['webhook.accepts', 'api.bearer'] })
    expect(late.checks.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'skip'])
    const wrong = audit({ url, file: { app: 'small' }, timeout: 'soon' as '1s' })
    await expect(wrong).rejects.toMatchObject({
      name: 'InvalidOptionsError',
      issues: [{ path: 'timeout', message: expect.stringContaining('must be a duration') }],
    })
  })

  test('SIGINT puts the world back', async ({ app, launch, folder }) => {
    const { admin, url } = app.emulator
    const before = await admin.listOrganizations()
    // It never answers, so the first check is still waiting when the signal comes.
    const asked = new Promise<void>((resolve) => app.behaves(() => resolve()))
    await writeFile(join(folder, 'mockademy.audit.json'), FILE)
    const { child, ended } = launch(['audit', '--url', url, '--only', 'webhook.acknowledges-first'])
    await asked
    expect((await admin.listFaults()).length).toBe(1)
    expect((await admin.listOrganizations()).length).toBe(before.length + 1)
    child.kill('SIGINT')
    const { status, stderr } = await ended
    expect(status).toBe(130)
    expect(stderr).toBe('mockademy: interrupted; restoring the world\n')
    expect(await admin.listOrganizations()).toEqual(before)
    expect(await admin.listFaults()).toEqual([])
    expect(await admin.listSnapshots()).toEqual([])
  })

  test('what a killed audit has left is removed by the next one, and what it had changed is as before; it says so', async ({
    app,
    launch,
    run,
    folder,
  }) => {
    const { admin, url } = app.emulator
    const manifest = (await admin.getApp('small')).versions[0]?.manifest
    await admin.setAmbientUser('ada')
    await admin.setSilentAuth({ outcome: 'consent_required' })
    await admin.setLiberties({ seed: '7' })
    await admin.addFault({ match: { surface: 'api' }, effect: 'rate_limited' })
    await admin.freezeClock('2026-02-01T00:00:00.000Z')
    const worldOf = async () => ({
      organizations: await admin.listOrganizations(),
      users: await admin.listUsers(),
      apps: await admin.listApps(),
      faults: await admin.listFaults(),
      snapshots: await admin.listSnapshots(),
      findings: await admin.listFindings(),
      silent: await admin.listSilentAuth(),
      sessions: await admin.listSessions(),
      clock: await admin.clock(),
      liberties: (await admin.getLiberties()).seed,
      keys: (await admin.getState()).keys,
    })
    const before = await worldOf()
    const asked = new Promise<void>((resolve) => app.behaves(() => resolve()))
    await writeFile(join(folder, 'mockademy.audit.json'), FILE)
    const audited = ['audit', '--url', url, '--liberties', '9', '--only', 'webhook.acknowledges-first']
    const { child, ended } = launch(audited)
    await asked
    // As signin.rotation and api.after-upgrade do.
    await admin.rotateKeys()
    await admin.pushManifest('small', { ...manifest, version: '1.0.1' } as Parameters<typeof admin.pushManifest>[1])
    child.kill('SIGKILL')
    await ended
    await expect.poll(async () => (await admin.world()).runs).toEqual([])
    const [others, now] = [Object.entries(before), Object.entries(await worldOf())]
    const changed = now.filter(([, value], index) => JSON.stringify(value) !== JSON.stringify(others[index]?.[1]))
    expect(changed.map(([name]) => name)).toEqual(Object.keys(before).filter((name) => name !== 'findings'))
    // Changes by people are kept.
    const fault = await admin.addFault({ match: { surface: 'oauth' }, effect: { status: 503 } })
    const mine = await admin.createOrganization({ slug: 'mine', name: 'Mine' })

    app.behaves((isGenuine, response) => void response.writeHead(isGenuine ? 200 : 401).end())
    const { status, stderr } = await run(['audit', '--url', url, '--only', 'webhook.unsigned'])
    expect(stderr).toBe(
      'mockademy: removed the leftovers of a killed audit or sweep (organizations: 1, people: 1, faults: 1), and undid its other changes\n',
    )
    expect(status).toBe(0)
    const { organizations, faults } = before
    expect(await worldOf()).toEqual({
      ...before,
      organizations: [...organizations, mine],
      faults: [...faults, fault],
    })
  })

  test('what a killed audit has left is removed after a restart of the emulator, too; it says what stays', async ({
    app,
    run,
    folder,
  }) => {
    const { admin, url } = app.emulator
    const before = [await admin.listUsers(), await admin.listOrganizations()]
    const left = 'audit-0123abcd'
    await admin.createUser({ id: `${left}-1`, email: `${left}@acme.test`, first_name: 'A', last_name: 'B' })
    await admin.createOrganization({ slug: left, name: 'Left' })
    await writeFile(join(folder, 'mockademy.audit.json'), FILE)
    app.behaves((isGenuine, response) => void response.writeHead(isGenuine ? 200 : 401).end())
    const { stderr } = await run(['audit', '--url', url, '--only', 'webhook.unsigned'])
    expect(stderr).toMatch(
      /removed the leftovers of a killed audit or sweep \(organizations: 1, people: 1\); the emulator has been restarted since/,
    )
    expect([await admin.listUsers(), await admin.listOrganizations()]).toEqual(before)
  })

  test('a second audit of an emulator is refused while one is running, and names it', async ({
    app,
    launch,
    folder,
  }) => {
    const { admin, url } = app.emulator
    const asked = new Promise<void>((resolve) => app.behaves(() => resolve()))
    await writeFile(join(folder, 'mockademy.audit.json'), FILE)
    const { child, ended } = launch(['audit', '--url', url, '--only', 'webhook.acknowledges-first'])
    await asked
    const before = await admin.getState()
    const { runs } = await admin.world()
    expect(runs).toEqual([expect.stringMatching(/^audit-[0-9a-f]{8}$/)])
    const second = audit({ url, file: { app: 'small' }, only: ['webhook.unsigned'] })
    await expect(second).rejects.toThrow(
      `${runs[0]} is running against the emulator at ${url}; wait until it ends, or start another emulator for this one`,
    )
    expect(await admin.getState()).toEqual(before)
    child.kill('SIGKILL')
    await ended
  })

  test('a check that is repeated tries anew what was inconclusive, and keeps what was found', async () => {
    const once = createOnce()
    let tries = 0
    const find = async () => {
      tries++
      if (tries === 1) throw new Error('the app did not respond')
      return tries
    }
    await expect(Promise.all([once('a', find), once('a', find)])).rejects.toThrow('the app did not respond')
    expect(tries).toBe(1)
    expect([await once('a', find), await once('a', find)]).toEqual([2, 2])

    // Two checks wait for the same work, and the first one repeats it before the second has heard that it failed.
    tries = 0
    const again = () => once('b', find)
    await expect(Promise.all([again().catch(again), again().catch(again)])).resolves.toEqual([2, 2])
    // What is forgotten while it is under way, and begun again, outlives the failure of the first.
    tries = 0
    const first = once('c', find)
    once.forget('c')
    const second = once('c', find)
    await expect(first).rejects.toThrow('the app did not respond')
    expect(await once('c', find)).toBe(await second)
  })

  test('guests who looked different once are looked at again', async () => {
    const whoami = { url: 'http://localhost/me', signed_in: { status: 200, user: '/id' }, signed_out: { status: 401 } }
    const shown = ['one', 'two', 'guest', 'guest']
    const exchange = (id = '') =>
      ({ status: 200, response: { headers: {}, body: JSON.stringify({ id }) } }) as GuardedExchange
    const browser = () => ({ get: async () => exchange(shown.shift()) }) as unknown as Browser
    const { findUser } = createSessionReader({ whoami }, browser, createOnce())
    await expect(findUser(exchange('ada'))).rejects.toThrow('shows each browser without cookies as another user')
    expect([await findUser(exchange('ada')), await findUser(exchange('guest'))]).toEqual(['ada', undefined])
    expect(shown).toEqual([])
  })

  test('many checks that were inconclusive side by side are each repeated, alone, once a late app has worked off its queue', async () => {
    let running = 0
    let queued = 0
    const tries = new Map<string, number>()
    const checks = Array.from({ length: 20 }, (_, index) => ({
      ...(catalog[0] as Check),
      id: `check.${index}`,
      needs: [],
      async run() {
        running++
        await new Promise(setImmediate)
        const outcome = running === 1 ? 'pass' : 'inconclusive'
        running--
        tries.set(this.id, (tries.get(this.id) ?? 0) + 1)
        return { outcome, message: 'the app did not acknowledge app.installed' } as const
      },
      control: async () => {},
    }))
    const tenant = { install: async () => ++queued, probe: async () => ({}), isOk: () => true }
    const context = contextWith({ platform: { tenant: async () => tenant }, until: (read: () => unknown) => read() })
    const found = new Map<string, string>()
    await runChecks(checks, context, never, ({ id }, { outcome }) => {
      found.set(id, outcome)
      return false
    })
    expect([...found.values()]).toEqual(Array(20).fill('pass'))
    expect(Math.max(...tries.values())).toBe(2)
    expect(queued).toBe([...tries.values()].filter((count) => count === 2).length)
  })

  test('--bail keeps the failure of a check that would have been repeated', async () => {
    const check = (id: string, run: Check['run']) => ({
      ...(catalog[0] as Check),
      id,
      needs: [],
      control: undefined,
      run,
    })
    const failure = (late: boolean) => ({ outcome: 'fail', message: 'Failed', late }) as const
    const checks = [
      check('doubtful', async () => failure(true)),
      check('certain', () => new Promise((resolve) => setImmediate(resolve, failure(false)))),
      { ...check('later', async () => failure(false)), order: 'alone' as const },
    ]
    const found: [id: string, outcome: string, message: string][] = []
    await runChecks(
      checks,
      contextWith({ once: async () => ({ status: 200 }) }),
      never,
      ({ id }, { outcome, message }) => {
        found.push([id, outcome, message])
        return outcome === 'fail'
      },
    )
    expect(found).toEqual([
      ['certain', 'fail', 'Failed'],
      ['doubtful', 'fail', 'Failed'],
      ['later', 'skip', 'Not run after a failure (--bail)'],
    ])
  })

  test.for([
    ['http://app.test/login', 'inconclusive'],
    ['http://platform.test/login', 'fail'],
  ])(
    'a failure by a 429 of %s is %s: the limit of the app hides the answer, that of the platform does not',
    async ([url, outcome]) => {
      const sent = { method: 'GET', url, status: 429 } as Verdict['sent']
      const runs: Check['run'][] = [
        async () => ({ outcome: 'fail', message: 'Failed', late: false, sent }),
        () => Promise.reject(new Consequence('api.stampede', 'failed', { sent })),
      ]
      const context = contextWith({ addresses: { platform: ['http://platform.test'] } })
      const found: string[] = []
      for (const run of runs) {
        const check = { ...(catalog[0] as Check), needs: [], control: undefined, run }
        await runChecks([check], context, never, (_, verdict) => {
          found.push(verdict.outcome)
          return false
        })
      }
      expect(found).toEqual([outcome, outcome])
    },
  )

  test.for([
    ['exit 3', 'exited with status 3'],
    [
      'kill $$',
      'was ended by SIGTERM; the pattern of a pkill -f also matches the shell that runs it, so put the command into a script',
    ],
    ['true', 'ended, but the app kept running: it refused and closed no connection'],
  ] as const)('a restart with "%s" is said to have failed, and is not repeated', async ([restart, why]) => {
    const { url } = await serve((_, response) => response.end())
    await expect(restartApp(contextWith(restartable(url, restart)))).rejects.toMatchObject({
      message: `the restart command ${why}`,
      evidence: { late: false },
    })
  })

  test('a restart without downtime is one: the connections of the old process end, and its port stays open', async () => {
    const server = createServer((_, response) => response.end())
    const { url } = await serve(server)
    const { command, close } = await commandOf(async () => {
      await once(server, 'request')
      server.closeAllConnections()
    })
    onTestFinished(close)
    const forgetSilence = vi.fn()
    await restartApp(contextWith({ ...restartable(url, command), forgetSilence }))
    expect(forgetSilence).toHaveBeenCalledOnce()
  })

  test('a graceful shutdown during a request of the watch is not kept waiting by its next ones', async () => {
    const server = createServer((_, response) => response.end())
    const { url } = await serve(server)
    const { command, close } = await commandOf(async () => {
      server.prependOnceListener('request', () => server.close())
      await once(server, 'close')
    })
    onTestFinished(close)
    await restartApp(contextWith(restartable(url, command)))
  })

  test('an app that ends every connection cannot show a restart: its command is believed', async () => {
    const { url } = await serve((_, response) => response.setHeader('connection', 'close').end())
    await restartApp(contextWith(restartable(url, 'true')))
  })

  test('no check makes a control call once the run has ended', async ({ app }) => {
    const ending = new AbortController()
    const admin = connectAsRun(app.emulator.url, 'audit-00000000', {}, ending.signal)
    const organizations = await admin.listOrganizations()
    ending.abort()
    await expect(admin.createOrganization({ slug: 'late', name: 'Late' })).rejects.toThrow('aborted')
    expect(await app.emulator.admin.listOrganizations()).toEqual(organizations)
  })
})

describe.concurrent('what cannot be audited ends with status 2 and says why', () => {
  test.for<[what: string, file: string, flags: string[], message: RegExp]>([
    ['a file that is not JSON', '{\n"app": small }', [], /line 2: is not valid JSON: invalid symbol\n/],
    ['a field that is not known', '{ "app": "small", "begin": "x" }', [], /begin: is not a known field/],
    [
      'a probe without {organization}',
      '{ "app": "small", "probe": { "url": "http://x.test/" } }',
      [],
      /probe\.url: must contain \{organization\}/,
    ],
    [
      'an accepted failure without a reason',
      '{ "app": "small", "accept": { "webhook.unsigned": "  " } }',
      [],
      /accept\.webhook\.unsigned: must be a reason/,
    ],
    [
      'an accepted check that does not exist',
      '{ "app": "small", "accept": { "webhook.unsignd": "x" } }',
      [],
      /accept\.webhook\.unsignd: is not a check; did you mean "webhook\.unsigned"\?/,
    ],
    ['an app that does not exist', '{ "app": "tall" }', [], /app: There is no app "tall"/],
    ['a check that does not exist', '{ "app": "small" }', ['--only', 'webhoks.*'], /there is no check "webhoks\.\*"/],
    [
      'a check that does not exist, among many stars',
      '{ "app": "small" }',
      ['--only', `${'*'.repeat(40)}x-`],
      /there is no check "\*+x-"/,
    ],
    ['nothing to run', '{ "app": "small" }', ['--skip', '*'], /no checks to run/],
    [
      'only what is skipped',
      '{ "app": "small" }',
      ['--only', 'webhook.unsigned', '--skip', 'webhook.*'],
      /no checks to run/,
    ],
    [
      'an address that is neither loopback nor private',
      '{ "app": "small", "start": "http://169.254.169.254/latest" }',
      [],
      /start: 169\.254\.169\.254 is neither a loopback nor a private address, so it was not called: list the host/,
    ],
    [
      'a host without an address',
      '{ "app": "small", "logout": { "url": "http://app.invalid/logout" } }',
      [],
      /logout\.url: the host cannot be reached: getaddrinfo \w+ app\.invalid/,
    ],
    ['no time at all', '{ "app": "small" }', ['--timeout', '0'], /timeout: must be at least 1 ms/],
    [
      'an emulator that does not run',
      '{ "app": "small" }',
      ['--url', 'http://127.0.0.1:1'],
      /No emulator answers at http:\/\/127\.0\.0\.1:1: connect ECONNREFUSED/,
    ],
  ])('%s', async ([, file, flags, message], { app, run, folder }) => {
    await writeFile(join(folder, 'mockademy.audit.json'), file)
    const { status, stdout, stderr } = await run([
      'audit',
      ...(flags[0] === '--url' ? [] : ['--url', app.emulator.url]),
      ...flags,
    ])
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(stdout).toBe('')
    expect(status).toBe(2)
  })
})
