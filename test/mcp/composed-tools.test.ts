import { once } from 'node:events'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, parse } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, describe, expect } from 'vitest'
import { changeManifest } from '../harness/change-manifest.js'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'
import { oneEmulatorTest } from '../harness/emulator-test.js'
import { schemaValidator } from '../harness/schema-validator.js'
import { serve } from '../harness/serve.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { startCoursesApp } from '../sweep/courses-app.js'

interface Fixtures {
  /** A client of one server for the file: each start takes a fifth of a second. */
  client: Client
  /** Calls a tool. @returns its text, and the JSON in it where it is no error. */
  tool: (name: string, args?: object) => Promise<{ text: string; value: Record<string, unknown>; failed: boolean }>
}

const silently = `/oauth/authorize?${new URLSearchParams({
  ...{ client_id: 'app_notes', redirect_uri: 'http://localhost:3000/callback', response_type: 'code' },
  ...{ scope: 'openid', prompt: 'none', state: 'a-state-of-22-characters', nonce: 'n' },
  ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
})}`

/** A hint (no_pkce) cites it. */
const silentlyWithoutPkce = silently
  .replace('code_challenge=', 'no_challenge=')
  .replace('&code_challenge_method=S256', '')

const notes = { client_id: 'app_notes', client_secret: 'notes_secret' }
const code = (client_secret: string) => ({ grant_type: 'authorization_code', code: 'x', ...notes, client_secret })
const fixed = 'Corrects the request'
const discovery = '/.well-known/openid-configuration'

/** A reference to an earlier step's result. */
const ref = (way: string) => `\${${way}}`

/** Connects to a server of the command. @param folder for its data. */
async function connect(url: string, folder: string, workingFolder = folder): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(ROOT, 'bin/mockademy.js'), 'mcp', '--url', url],
      env: cleanEnvironment(folder) as Record<string, string>,
      cwd: workingFolder,
    }),
  )
  return client
}

/** The working folder of the server. */
const workingFolder = temporaryFolder(afterAll)

const test = oneEmulatorTest.extend<Fixtures>({
  client: [
    async ({ oneEmulator }, use) => {
      const client = await connect(oneEmulator.url, workingFolder)
      await use(client)
      await client.close()
    },
    { scope: 'file' },
  ],

  tool: async ({ client }, use) => {
    await use(async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
      const [part] = result.content as [{ type: string; text: string }]
      const failed = result.isError === true
      return { text: part.text, value: failed ? {} : JSON.parse(part.text), failed }
    })
  },
})

describe('the tools of mockademy mcp', () => {
  test('are at most 12, whose list takes less than 6,000 tokens', async ({ client }) => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['status', 'last_failure', 'explain', 'try', 'repeat', 'scenario', 'audit', 'sweep', 'coverage'],
      ...['world', 'reset', 'call'],
    ])
    expect(tools.length).toBeLessThanOrEqual(12)
    // A token has about 4 characters.
    expect(JSON.stringify(tools).length).toBeLessThan(24_000)
    const ajv = schemaValidator({ validateFormats: false })
    for (const { inputSchema, description, name } of tools) {
      expect(() => ajv.compile(inputSchema), name).not.toThrow()
      expect(description, name).toMatch(/^[A-Z].*\.$/s)
    }
  })

  test('say which of them only read, and which may take something away', async ({ client }) => {
    const { tools } = await client.listTools()
    const named = (hint: 'readOnlyHint' | 'destructiveHint') =>
      tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name)
    expect(named('readOnlyHint')).toEqual(['status', 'last_failure', 'explain', 'coverage', 'world'])
    expect(named('destructiveHint')).toEqual(['try', 'scenario', 'reset', 'call'])
    expect(tools.filter(({ annotations }) => annotations?.openWorldHint !== false)).toEqual([])
  })

  test('status and last_failure say what happened, without a secret', async ({ tool, emulator, call }) => {
    const { access_token } = await emulator.admin.mintTokens({ app: 'notes', organization: 'acme' })
    expect((await tool('last_failure')).value).toMatchObject({ failure: null })
    await call('/v0/elements', { as: access_token })
    await emulator.admin.advanceClock('61m')
    await call('/v0/elements', { as: access_token })
    const { value, text } = await tool('last_failure', { app: 'notes' })
    expect(value).toMatchObject({
      failure: expect.stringMatching(/^#\d+ api GET \/v0\/elements 401, notes in acme: .*expired at 2026-01-01T01:00/),
      emulator_response: { body: { error: 'Unauthorized' } },
      check: 'api.refreshes-once',
      expected: expect.stringContaining('one refresh'),
      section: expect.stringMatching(/docs\/platform\.md#s5\.2\.3$/),
      docs: expect.stringMatching(/docs\/checks\.md#api\.refreshes-once$/),
    })
    expect(text).not.toContain(access_token)
    expect((await tool('status')).value).toMatchObject({
      base_url: emulator.url,
      clock: { now: '2026-01-01T01:01:00.000Z', frozen: true },
      failures: [value.failure],
      next: expect.stringMatching(/^last_failure explains the newest failure; /),
    })
    expect((await tool('last_failure', { back: 1 })).value).toMatchObject({
      failure: null,
      note: expect.stringContaining('only 1 failures'),
    })
  })

  test('status has the faults that can still fire, and counts the failures before the newest five', async ({
    call,
    emulator,
    tool,
  }) => {
    const fault = { match: { path: '/v0/courses' }, effect: 'unavailable' } as const
    await emulator.admin.addFault({ ...fault, times: 1 })
    const { id } = await emulator.admin.addFault({ ...fault, times: 7 })
    for (let request = 0; request < 7; request++) await call('/v0/courses', { as: 'key_acme' })
    const { value } = await tool('status')
    expect(value.faults).toMatchObject([{ id, hits: 6, left: 1 }])
    expect(value.failures).toHaveLength(5)
    expect(value.earlier_failures).toBe(2)
    const { fault: met, earlier_failures } = (await tool('last_failure', { back: 3 })).value
    expect(met).toMatchObject({ id, effect: 'unavailable' })
    expect(earlier_failures).toHaveLength(3)
  })

  test('a hint about an exchange that went well is no failure', async ({ tool, emulator, call }) => {
    await emulator.admin.addFixtures({
      organizations: [{ slug: 'hinted' }],
      apps: [
        {
          manifest: {
            ...{ id: 'greedy', name: 'Greedy', version: '1.0.0', permissions: ['courses:read', 'elements:read'] },
            ...{ oauth: { install: true }, webhook: { url: 'http://localhost:1/webhook' } },
          },
        },
      ],
      installations: [{ app: 'greedy', organization: 'hinted', credentials: { access_token: 'at_hinted' } }],
    })
    await call('/v0/elements', { as: 'at_hinted' })
    expect(await emulator.admin.listFindings()).toMatchObject([{ rule: 'unused_scope', level: 'hint' }])
    expect((await tool('last_failure')).value).toMatchObject({ failure: null })
  })

  test('explain takes an entry, a delivery, a finding, a check and an error code', async ({ tool, emulator, call }) => {
    await call('/v0/courses', { as: 'nothing' })
    const [entry] = await emulator.admin.listRequests({ limit: 1 })
    // Nothing can refresh a key that is unknown.
    expect((await tool('explain', { what: entry?.id })).value).not.toHaveProperty('check')
    await emulator.admin.setInbox('explained', { status: 401 })
    await changeManifest(emulator.admin, { version: '2.0.0', webhook: { url: `${emulator.url}/_inbox/explained` } })
    const [installation] = await emulator.admin.listInstallations({ organization: 'acme' })
    const { delivery } = await emulator.admin.upgrade(installation?.id ?? '')
    expect((await tool('explain', { what: delivery?.id })).value).toMatchObject({
      delivery: { event: 'app.installed', attempts: [expect.stringContaining('401')] },
    })
    expect(await tool('explain', { waht: 'rejected_valid_event' })).toMatchObject({
      failed: true,
      text: 'explain was not called\nwhat: is required\nwaht: is not a known field; did you mean "what"?',
    })
    expect((await tool('explain', { what: 'rejected_valid_event' })).value).toMatchObject({
      rule: { level: 'error', docs: expect.stringMatching(/checks\.md#rejected_valid_event$/) },
      findings: [{ rule: 'rejected_valid_event', count: 1 }],
      check: { id: 'webhook.accepts' },
    })
    const ofCheck = await tool('explain', { what: 'webhook.raw-body' })
    const { check } = ofCheck.value as { check: object }
    const facts = ['id', 'needs', 'title', 'severity', 'source', 'expected', 'remedy', 'section', 'docs']
    expect(Object.keys(check)).toEqual(facts)
    expect(ofCheck.value).toMatchObject({
      check: { severity: 'high', remedy: expect.stringContaining('bytes') },
    })
    expect((await tool('explain', { what: 'invalid_grant' })).text).toContain('docs/platform.md')
    const { passages } = (await tool('explain', { what: 'app.installed' })).value as { passages: { heading: string }[] }
    expect(passages).toHaveLength(12)
    for (const { heading } of passages) expect(heading).toMatch(/^[^#<>]+$/)
    const ofToken = (await tool('explain', { what: 'token' })).value.passages as { text: string }[]
    expect(ofToken).toHaveLength(12)
    for (const { text } of ofToken) expect(text).toMatch(/(?<![\w-])token(?![\w-])/)
    expect((await tool('explain', { what: 'unsupported_grant_type' })).text).toContain('docs/decisions.md')
    expect((await tool('explain', { what: 'ERR_UNREACHABLE' })).value).toMatchObject({
      passages: [{ page: 'docs/control-api.md', text: expect.stringContaining('no emulator answers at the address') }],
    })
    expect((await tool('explain', { what: '401' })).value).toMatchObject({ term: '401', passages: expect.any(Array) })
    expect(await tool('explain', { what: 'webhook.rawbody' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('did you mean "webhook.raw-body"?'),
    })

    await emulator.admin.setInbox('explained', { status: 200 })
    await emulator.admin.redeliver(delivery?.id ?? '')
    expect((await tool('status')).value).toMatchObject({ open_deliveries: [] })
    await call('/v0/courses', { as: 'key_acme' })
    for (const surface of ['webhook', 'api'] as const) {
      const [sound] = await emulator.admin.listRequests({ surface, status: 200, limit: 1 })
      const { value } = await tool('explain', { what: sound?.id })
      expect(value).toMatchObject({ exchange: expect.stringContaining(' 200, '), findings: [] })
      for (const advice of ['failure', 'remedy', 'check', 'expected']) expect(value).not.toHaveProperty(advice)
    }
    const text = (id: number) => `The journal has no entry ${id}; it may be too old, or was cleared`
    for (const id of [99_999, 0, -1]) {
      expect(await tool('explain', { what: id })).toMatchObject({ failed: true, text: text(id) })
      expect(await tool('repeat', { entry: id })).toMatchObject({ failed: true, text: text(id) })
    }
  })

  test('explain takes an entry and a delivery of an audit', async ({ tool, emulator: { admin, url } }) => {
    await changeManifest(admin, { version: '2.0.0', webhook: { url: `${url}/_inbox/tried` } })
    const members = [{ user: 'ada', role: 'owner' as const }]
    await admin.addFixtures({ organizations: [{ slug: 'tried', name: 'Tried', run: 'run-1', members }] })
    const { delivery } = await admin.install({ app: 'notes', organization: 'tried' })
    const [entry] = await admin.listRequests({ surface: 'webhook', run: 'any' })
    for (const what of [entry?.id, delivery?.id]) {
      expect((await tool('explain', { what })).value.delivery).toMatchObject({
        id: delivery?.id,
        state: 'acknowledged',
      })
    }
  })

  test('a finding beside an older entry that it cites says which entry its message is about', async ({
    tool,
    emulator,
    call,
  }) => {
    for (const path of ['/v0/courses', '/v0/elements']) await call(path, { as: 'rt_acme' })
    const [older, newest] = await emulator.admin.listRequests({ surface: 'api' })
    expect((await tool('status')).value.findings).toEqual(['error wrong_kind_of_token, 2 times'])
    const messages = async (id?: number) =>
      ((await tool('explain', { what: id })).value.findings as { message: string }[]).map(({ message }) => message)
    expect(await messages(newest?.id)).toEqual([
      expect.stringMatching(/^A refresh token was sent to GET \/v0\/elements/),
    ])
    expect(await messages(older?.id)).toEqual([expect.stringMatching(`^At entry ${newest?.id}: A refresh token`)])
    expect((await tool('explain', { what: older?.id })).value).toMatchObject({
      expected: expect.stringContaining('Send refresh tokens'),
      section: expect.stringMatching(/#s5\.3$/),
    })
  })

  test('explain lists the errors that cite an entry before the hints', async ({ tool, emulator, call }) => {
    // The hint cites the first request too, so it is the older one.
    for (const limit of ['3', 'key_acme']) await call(`/v0/courses?limit=${limit}`, { as: 'key_acme' })
    expect(await emulator.admin.listFindings()).toMatchObject([{ level: 'hint' }, { level: 'error' }])
    const [entry] = await emulator.admin.listRequests({ limit: 1 })
    expect((await tool('explain', { what: entry?.id })).value).toMatchObject({
      findings: [{ rule: 'token_in_url' }, { rule: 'unknown_fields' }],
      check: 'api.bearer',
    })
  })

  test.for([
    ['without the scope', 'insufficient_scope', '/v0/courses', 403, 'api.insufficient-scope'],
    ['too often', 'rate_limited', '/v0/courses', 429, 'api.rate-limited'],
    ['of a platform that is down', 'unavailable', '/v0/courses', 503, 'api.outage'],
    ['without a response', { connection: 'reset' }, '/v0/courses', null, 'api.outage'],
    ['that refreshes while it is down', 'unavailable', 'refresh_token', 503, 'api.refresh-fails'],
    ['that refreshes with a dead token', undefined, 'refresh_token', 400, 'api.dead-grant'],
    ['that redeems no code', undefined, 'authorization_code', 400, undefined],
    ['that redeems a code while it is down', 'unavailable', 'authorization_code', 503, 'signin.token-endpoint-down'],
    ['that refreshes too often', 'rate_limited', 'refresh_token', 429, 'api.refresh-fails'],
    ['that asks for sign-in wrongly', undefined, '/oauth/authorize?client_id=app_notes', 400, 'signin.request'],
    ['that signs nobody in silently', undefined, silently, 302, 'signin.silent'],
    ['that signs nobody in silently without PKCE', undefined, silentlyWithoutPkce, 302, 'signin.silent'],
    ['that names no app', undefined, '/oauth/authorize?client_id=nobody', 400, undefined],
    ['for keys at a wrong path', undefined, '/.well-known/jwks', 404, undefined],
    ['for what is not there', undefined, '/v0/elements/none', 404, undefined],
    ['with a wrong parameter', undefined, '/v0/elements?page=none', 400, undefined],
  ] as const)(
    'last_failure says what a sound app does after a request %s',
    async ([, effect, place, status, check], { tool, emulator, call }) => {
      const { access_token } = await emulator.admin.mintTokens({ app: 'notes', organization: 'acme' })
      if (effect) await emulator.admin.addFault({ match: {}, effect })
      await (place.startsWith('/')
        ? call(place, { as: access_token })
        : call('/oauth/token', {
            form: { grant_type: place, refresh_token: 'x', code: 'x', redirect_uri: 'http://localhost/', ...notes },
          })
      ).catch(() => {})
      await emulator.admin.clearFaults()
      const { value } = await tool('last_failure')
      expect(value.failure).toMatch(new RegExp(` ${status ?? 'no response'}[,:]`))
      expect(value.check).toBe(check)
      expect(value.docs).toEqual(check && expect.stringContaining(`docs/checks.md#${check}`))
      if (place.startsWith('/v0')) {
        expect(value).toMatchObject({ expected: expect.any(String), section: expect.any(String) })
      }
    },
  )

  test('last_failure after a code that PKCE refuses is about PKCE', async ({ tool, emulator, call }) => {
    await emulator.admin.setAmbientUser('ada')
    const { headers } = await call(silently)
    const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', code, redirect_uri: 'http://localhost:3000/callback', ...notes }
    expect((await call('/oauth/token', { form: { ...form, code_verifier: 'y'.repeat(43) } })).status).toBe(400)
    expect((await tool('last_failure')).value).toMatchObject({ check: 'signin.pkce' })
  })

  test.for([
    ['wrong credentials', 401, { form: { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'app_notes' } }],
    ['no refresh token', 400, { form: { grant_type: 'refresh_token', ...notes } }],
    [
      'an access token',
      400,
      { form: { grant_type: 'refresh_token', refresh_token: `at_${'x'.repeat(43)}`, ...notes } },
    ],
    ['a space before the token', 400, { form: { grant_type: 'refresh_token', refresh_token: ' x', ...notes } }],
    ['JSON', 400, { body: { grant_type: 'refresh_token', refresh_token: 'x', ...notes } }],
  ] as const)('a refresh with %s says nothing of the grant', async ([, status, given], { tool, call }) => {
    expect((await call('/oauth/token', given)).status).toBe(status)
    const { value } = await tool('last_failure')
    expect(value.failure).toContain(` ${status}`)
    expect(value).not.toHaveProperty('check')
    if (status === 401) {
      const expected = expect.stringContaining('Keeps its tokens')
      expect(value).toMatchObject({ expected, section: expect.stringContaining('platform.md#s4.8') })
    }
  })

  test.for([
    ['to a path that is misspelt', 'GET', '/v0/course', undefined, 404, 'Corrects the path', '#s4'],
    [
      'that no install token may make',
      'DELETE',
      '/v0/elements/welcome',
      undefined,
      403,
      "organization's API key",
      '#s3',
    ],
    ['for an element that is not there', 'GET', '/v0/elements/none', undefined, 404, 'for deleted', '#s7'],
    ['with a wrong client secret', 'POST', '/oauth/token', code('wrong'), 401, 'its own client_id', '#s4.8'],
    ['with a grant type that is unknown', 'POST', '/oauth/token', { grant_type: 'x', ...notes }, 400, fixed, '#s6'],
    ['without a grant type', 'POST', '/oauth/token', notes, 400, fixed, '#s6'],
    ['for discovery while it is down', 'GET', discovery, undefined, 503, 'offers to sign in again', '#s4.8'],
  ] as const)(
    'last_failure says in words what a sound app does after a request %s',
    async ([, method, path, form, status, expected, section], { tool, emulator, call }) => {
      const { access_token } = await emulator.admin.mintTokens({ app: 'notes', organization: 'acme' })
      if (status === 503) await emulator.admin.addFault({ match: { surface: 'oauth' }, effect: 'unavailable' })
      await call(path, { method, ...(form ? { form } : { as: access_token }) })
      const { value } = await tool('last_failure')
      expect(value).toMatchObject({
        failure: expect.stringContaining(` ${status}`),
        expected: expect.stringContaining(expected),
        section: expect.stringMatching(new RegExp(`${section}$`)),
      })
      expect(value).not.toHaveProperty('check')
    },
  )

  test.for([
    ['uninstall', 'api.after-uninstall'],
    ['upgrade', 'api.after-upgrade'],
    [undefined, 'api.refreshes-once'],
  ] as const)('last_failure of a token that an %s revoked: %s', async ([how, check], { tool, emulator, call }) => {
    const { admin } = emulator
    const { access_token } = await admin.mintTokens({ app: 'notes', organization: 'acme' })
    const [installation] = await admin.listInstallations({ organization: 'acme' })
    if (how === 'upgrade') {
      await changeManifest(admin, { version: '2.0.0' })
    }
    await (how ? admin[how](installation?.id ?? '') : admin.revokeTokens({ token: access_token }))
    await call('/v0/courses', { as: access_token })
    expect((await tool('last_failure')).value).toMatchObject({ failure: expect.stringContaining(' 401, '), check })
  })

  test('a forged webhook that the app rejects is no failure, and one that it did not get has no advice', async ({
    tool,
    emulator: { admin, url },
  }) => {
    const [installation] = await admin.listInstallations({ organization: 'acme' })
    const send = (effect: 'bad_signature' | 'truncate' | 'unreachable' | { signature: string }) =>
      tool('try', {
        fault: { match: { surface: 'webhook' }, effect, times: 1 },
        steps: [{ event: { type: 'note.made', app: 'notes', organization: 'acme', data: {} } }],
      })
    await admin.setInbox('strict', { status: 401 })
    await changeManifest(admin, { version: '2.0.0', webhook: { url: `${url}/_inbox/strict` } })
    await admin.upgrade(installation?.id ?? '')
    const genuine = (await tool('last_failure')).value
    expect(genuine).toMatchObject({ check: 'webhook.accepts' })
    for (const effect of ['bad_signature', 'truncate', { signature: 'none' }] as const) {
      expect((await send(effect)).value).toMatchObject({ fault_fired: true })
      expect((await tool('last_failure')).value.failure, JSON.stringify(effect)).toBe(genuine.failure)
    }
    await send('unreachable')
    const { value } = await tool('last_failure')
    expect(value.failure).toContain('Injected fault: unreachable')
    expect(value).not.toHaveProperty('check')

    await admin.setInbox('strict', { status: 200 })
    for (const count of [1, 2]) {
      const { new_findings } = (await send('bad_signature')).value
      expect(new_findings).toMatchObject([{ rule: 'unverified_signature', count }])
    }
  })

  test('try brings about a fault, shows all that happened, and removes it', async ({ tool, emulator, call }) => {
    const path = '/v0/courses'
    // A finding of before is not new.
    await call(`${path}?key=key_acme`, { as: 'key_acme' })
    expect((await emulator.admin.listFindings()).map(({ rule }) => rule)).toContain('token_in_url')
    const { value } = await tool('try', {
      fault: { match: { surface: 'api' }, effect: 'rate_limited' },
      steps: [{ request: { path, as: 'acme' } }],
    })
    expect(value).toMatchObject({
      passed: true,
      steps: [{ step: 'request', response: { status: 429 } }, { step: 'settle' }],
      fault_fired: true,
      happened: [expect.stringMatching(/^#\d+ api GET \/v0\/courses 429, acme: /)],
      new_findings: [],
    })
    expect(await emulator.admin.listFaults()).toEqual([])
    const missed = await tool('try', { fault: { match: { surface: 'oauth' }, effect: 'unavailable' } })
    expect(missed.value).toMatchObject({ fault_fired: false, happened: [] })
    const fault = { match: { surface: 'api' }, effect: 'rate_limited' }
    const cleared = await tool('try', { fault, steps: [{ clear_faults: {} }, { request: { path, as: 'acme' } }] })
    expect(cleared.value).toMatchObject({ fault_fired: false })
    const fired = await tool('try', { fault, steps: [{ request: { path, as: 'acme' } }, { clear_faults: {} }] })
    expect(fired.value).toMatchObject({ fault_fired: true })
  })

  test('try keeps the status of a visit whose body is large', async ({ tool }) => {
    const { url } = await serve((_, response) => {
      const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `Row ${id}`, tags: ['a', 'b', 'c'] }))
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ rows, by: { ...rows } }))
    })
    const { value } = await tool('try', { visit: { url: `${url}/` } })
    expect(value).toMatchObject({
      steps: [
        { step: 'visit', response: { status: 200, body: expect.stringMatching(/^\{"rows":/) } },
        { step: 'settle' },
      ],
      left_out: [expect.stringMatching(/^steps\[0\]\.response\.body: the last \d+ of \d+ characters$/)],
    })
  })

  test('try and scenario hide secrets as the journal does', async ({ tool, emulator }) => {
    const { client_secret } = await emulator.admin.getAppSecrets('notes')
    const { access_token, refresh_token } = await emulator.admin.mintTokens({ app: 'notes', organization: 'acme' })
    const { url } = await serve(({ url }, response) => {
      response.setHeader('location', 'http://localhost:3000/?code=unknown').setHeader('x-used', access_token)
      if (url === '/text') response.end(`token=unknown, and ${access_token}`)
      else response.setHeader('content-type', 'application/json').end(JSON.stringify({ token: 'x', a: access_token }))
    })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const grant = { grant_type: 'refresh_token', client_id: 'app_notes', client_secret }
    const steps = [
      { name: 'minted', mint: { app: 'notes', organization: 'acme' } },
      {
        name: 'refresh',
        request: {
          path: '/oauth/token',
          headers: form,
          body: { ...grant, refresh_token: ref('minted.refresh_token') },
        },
        expect: { status: 200 },
      },
      {
        request: {
          path: '/v0/elements',
          headers: { authorization: `Bearer ${ref('refresh.body.access_token')}` },
        },
      },
      { name: 'secrets', request: { path: '/_admin/apps/notes/secrets' } },
      { name: 'text', visit: { url: `${url}/text` } },
    ]
    const hidden = '[redacted]'
    const headers = { location: 'http://localhost:3000/?code=%5Bredacted%5D', 'x-used': hidden }
    const responses = [
      { step: 'mint', name: 'minted' },
      { response: { status: 200, body: { access_token: hidden, refresh_token: hidden, expires_in: 3600 } } },
      { response: { status: 200, body: { payload: expect.any(Object) } } },
      { response: { body: { client_secret: hidden, signing_secret: hidden } } },
      { response: { headers, body: `token=${hidden}, and ${hidden}` } },
    ]
    const tried = await tool('try', { steps, visit: { url: `${url}/json` } })
    const json = { response: { headers, body: { token: hidden, a: hidden } } }
    expect(tried.value).toMatchObject({ passed: true, steps: [...responses, json, { step: 'settle' }] })
    const failing = { visit: { url: `${url}/text` }, expect: { body: 'x' } }
    const ran = await tool('scenario', { scenario: { from: 'current', redact: false, steps: [...steps, failing] } })
    expect(ran.value).toMatchObject({ passed: false, steps: [...responses, { ok: false, error: { entries: [] } }] })
    for (const { text } of [tried, ran]) {
      expect(text).not.toMatch(/[ar]t_\w/)
      for (const secret of [client_secret, access_token, refresh_token]) expect(text).not.toContain(secret)
    }
  })

  test('try visits no other host, and removes the fault of a visit that it refuses', async ({ tool, emulator }) => {
    const fault = { match: { surface: 'api' }, effect: 'rate_limited' }
    const { value } = await tool('try', { fault, visit: { url: 'http://203.0.113.5/' } })
    expect(value).toMatchObject({
      passed: false,
      steps: [{ step: 'visit', ok: false, error: { message: expect.stringContaining('trust_hosts') } }],
    })
    expect(await tool('try', { fault, visit: { url: 'nowhere' } })).toMatchObject({ failed: true })
    expect(await emulator.admin.listFaults()).toEqual([])
  })

  test('repeat sends a request and a delivery again, and says what is different', async ({ tool, emulator, call }) => {
    const { admin } = emulator
    const { access_token } = await admin.mintTokens({ app: 'notes', organization: 'acme' })
    await admin.expireTokens({ app: 'notes' })
    await call('/v0/elements?type=CONTENT', { as: access_token })
    const [refused] = await admin.listRequests({ status: 401 })
    const tokens = (await admin.listTokens({ state: 'active' })).length
    expect((await tool('repeat', { entry: refused?.id })).value).toMatchObject({
      changed: ['status', 'reason', 'body'],
      before: { status: 401 },
      after: { status: 200, reason: null },
    })
    expect(await admin.listRequests({ surface: 'api', limit: 1 })).toMatchObject([{ query: { type: 'CONTENT' } }])
    expect(await admin.listTokens({ state: 'active' })).toHaveLength(tokens)

    await admin.setInbox('repeated', { status: 500 })
    await changeManifest(admin, { version: '2.0.0', webhook: { url: `${emulator.url}/_inbox/repeated` } })
    const [installation] = await admin.listInstallations({ organization: 'acme' })
    const { delivery } = await admin.upgrade(installation?.id ?? '')
    expect(delivery?.attempts).toMatchObject([{ status: 500 }])
    await admin.setInbox('repeated', { status: 200 })
    expect((await tool('repeat', { delivery: delivery?.id })).value).toMatchObject({
      changed: expect.arrayContaining(['status']),
      before: { status: 500 },
      after: { status: 200 },
    })
    let count = 0
    const app = await serve((_, response) => response.setHeader('x-count', count++).end('ok'), { host: 'localhost' })
    await changeManifest(admin, { version: '2.0.0', webhook: { url: `${app.url}/webhook` } })
    await tool('repeat', { delivery: delivery?.id })
    const same = { status: 200, body: 'ok' }
    expect((await tool('repeat', { delivery: delivery?.id })).value).toMatchObject({
      ...{ changed: [], before: same, after: same },
    })
    await call('/oauth/token', { form: { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'app_notes' } })
    const [token] = await admin.listRequests({ path: '/oauth/token', limit: 1 })
    expect(await tool('repeat', { entry: token?.id })).toMatchObject({
      failed: true,
      text: expect.stringContaining('secrets and cookies are not kept'),
    })
    await call('/v0/courses', { as: 'nobody' })
    const [unknown] = await admin.listRequests({ surface: 'api', limit: 1 })
    expect(await tool('repeat', { entry: unknown?.id })).toMatchObject({
      failed: true,
      text: `Entry ${unknown?.id} has no known sender, so no token can take the place of its own`,
    })
    expect(await tool('repeat')).toMatchObject({ failed: true, text: 'Give entry or delivery, and not both' })
  })

  test('repeat sends a body as it was, and none of which the journal has only the beginning', async ({
    tool,
    emulator: { admin },
    call,
  }) => {
    const newest = async () => (await admin.listRequests({ path: '/v0/elements/page', limit: 1 }))[0]
    for (const body of ['text', null]) {
      await call('/v0/elements/page', { method: 'PATCH', as: 'key_acme', body })
      const before = await newest()
      expect((await tool('repeat', { entry: before?.id })).value, String(body)).toMatchObject({ changed: [] })
      expect((await newest())?.request).toMatchObject({ body, length: before?.request.length })
    }
    await call('/v0/elements/page', { method: 'PATCH', as: 'key_acme', body: { content: 'x'.repeat(70_000) } })
    expect(await tool('repeat', { entry: (await newest())?.id })).toMatchObject({
      failed: true,
      text: expect.stringContaining('the journal has only the first 64 KB of its body'),
    })
  })

  test('scenario runs a file of the working folder and no other', async ({ tool }) => {
    await writeFile(join(workingFolder, 'clock.jsonc'), '{ "steps": [{ "advance": { "by": "1h" } }] } // one step')
    expect((await tool('scenario', { file: 'clock.jsonc' })).value).toMatchObject({
      passed: true,
      steps: [{ step: 'advance', ok: true }],
    })
    for (const given of [{}, { file: 'clock.jsonc', scenario: { steps: [] } }]) {
      const text = 'Give file or scenario, and not both'
      expect(await tool('scenario', given)).toMatchObject({ failed: true, text })
    }
    await symlink(join(ROOT, 'package.json'), join(workingFolder, 'link.json'))
    for (const file of ['link.json', join(ROOT, 'package.json'), '../../etc/passwd']) {
      expect(await tool('scenario', { file }), file).toMatchObject({
        failed: true,
        text: expect.stringMatching(/is outside the working folder|does not exist in/),
      })
    }
    expect(await tool('audit', { file: join(ROOT, 'package.json') })).toMatchObject({
      failed: true,
      text: expect.stringContaining('is outside the working folder'),
    })
    await mkdir(join(workingFolder, 'scenarios'))
    expect(await tool('scenario', { file: 'scenarios' })).toMatchObject({
      failed: true,
      text: 'file "scenarios" is a folder',
    })
    await writeFile(join(workingFolder, 'wrong.json'), '{ "steps": [{ "advnce": {} }] }')
    expect(await tool('scenario', { file: 'wrong.json' })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/^wrong\.json is not a scenario\n.*advnce/s),
    })
  })

  test('a server whose working folder is the root of the disk runs files of all folders', async ({
    emulator,
    folder,
  }) => {
    const file = join(folder, 'clock.jsonc')
    await writeFile(file, '{ "steps": [{ "advance": { "by": "1h" } }] }')
    const client = await connect(emulator.url, folder, parse(folder).root)
    const { isError, content } = await client.callTool({ name: 'scenario', arguments: { file } })
    await client.close()
    expect({ isError, content }).toMatchObject({ content: [{ text: expect.stringContaining('"passed":true') }] })
  })

  test('sweep lists cases, and returns those that fail, without a file', async ({ folder }) => {
    const [well, broken] = ['install/app.installed#1/twice', 'install/app.installed#1/again-later']
    await using app = await startCoursesApp()
    const client = await connect(app.emulator.url, folder)
    const sweep = async (args: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name: 'sweep', arguments: args })
      const [{ text }] = content as [{ type: string; text: string }]
      return isError ? text : JSON.parse(text)
    }
    try {
      expect(await sweep({})).toContain('mockademy.audit.json')
      const file = { ...app.file, accept: { [broken]: 'known, and mended since' } }
      await writeFile(join(folder, 'mockademy.audit.json'), JSON.stringify(file))
      const only = [well, broken]
      expect((await sweep({ flow: ['install'], only, list: true })).flows).toEqual([
        { flow: 'install', unstable: [], cases: only },
      ])
      expect(await sweep({ flow: ['install'], only })).toMatchObject({
        passed: false,
        summary: { cases: 2, unharmed: 2 },
        failed: [{ id: broken, verdict: 'unharmed', accepted: 'known, and mended since' }],
      })
      expect(await sweep({ flow: ['install'], only, budget: '1ms' })).toMatchObject({
        passed: false,
        notes: [
          'not tried: 2 of 2 cases, as the sweep ended early (out of time)',
          expect.stringMatching(/^install: failed/),
        ],
      })
      expect(await sweep({ flow: ['refesh'] })).toContain('no flow is called "refesh"')
      expect(await readdir(folder)).toEqual(['mockademy.audit.json'])
    } finally {
      await client.close()
    }
  })

  test('a sweep puts the world back when the agent leaves in the middle of it', async ({ folder }) => {
    await using app = await startCoursesApp()
    await writeFile(join(folder, 'mockademy.audit.json'), JSON.stringify(app.file))
    const { admin, url } = app.emulator
    const before = await admin.getState()
    const client = await connect(url, folder)
    const given = client.callTool({ name: 'sweep', arguments: { only: ['refresh/GET*/slow'] } }).catch(() => {})
    await expect.poll(() => admin.listFaults(), { timeout: 60_000 }).not.toEqual([])
    await client.close()
    expect(await admin.getState()).toEqual(before)
    await given
  })

  test('try removes its fault when the agent gives it up', async ({ client, emulator }) => {
    const silent = createServer()
    const arrived = once(silent, 'request')
    const { url } = await serve(silent)
    const given = new AbortController()
    const fault = { match: { surface: 'api' }, effect: 'unavailable' }
    const call = client.callTool(
      { name: 'try', arguments: { fault, visit: { url: `${url}/` } } },
      { signal: given.signal },
    )
    await arrived
    given.abort('enough')
    await expect(call).rejects.toThrow('enough')
    await expect.poll(() => emulator.admin.listFaults()).toEqual([])
  })

  test('repeat leaves no token when the agent gives it up', async ({ client, emulator: { admin }, call }) => {
    const { access_token } = await admin.mintTokens({ app: 'notes', organization: 'acme' })
    await call('/v0/courses', { as: access_token })
    const [entry] = await admin.listRequests({ surface: 'api', limit: 1 })
    const active = (await admin.listTokens({ state: 'active' })).map(({ id }) => id)
    const fault = await admin.addFault({ match: { surface: 'api' }, effect: { hold: 2 } })
    const given = new AbortController()
    const repeated = client.callTool({ name: 'repeat', arguments: { entry: entry?.id } }, { signal: given.signal })
    await expect.poll(async () => (await admin.listFaults())[0]?.hits).toBe(1)
    given.abort('enough')
    await expect(repeated).rejects.toThrow('enough')
    await expect.poll(async () => (await admin.listTokens({ state: 'active' })).map(({ id }) => id)).toEqual(active)
    await admin.deleteFault(fault.id)
  })

  test('coverage shows what the app has met, and the command that closes a gap', async ({ tool, emulator, call }) => {
    const { access_token } = await emulator.admin.mintTokens({ app: 'notes', organization: 'acme' })
    await call('/v0/elements/no-such-element', { as: access_token })
    const all = (await tool('coverage')).value.lines as string[]
    expect(all[0]).toMatch(/^Coverage of notes: \d+ % \(1 of \d+\)$/)
    expect(all).toContainEqual(expect.stringMatching(/^ {2}GET \/v0\/elements\/\{id\} +met: not-found; not met: ok, /))
    expect(all).toContainEqual(expect.stringMatching(/^ {2}app\.installed +not met: acknowledged, /))
    const { lines } = (await tool('coverage', { app: 'notes', about: 'GET /v0/elements/{id}' })).value
    expect(lines).toContainEqual(
      `    rate-limited: mockademy --url ${emulator.url} faults add rate_limited --surface api --method GET --path '/v0/elements/*' --app notes --times 1`,
    )
    expect(lines).not.toContainEqual(expect.stringContaining('app.installed'))
    const webhooks = (await tool('coverage', { about: 'webhooks' })).value.lines
    expect(webhooks).toContainEqual(expect.stringMatching(/^ {4}failed-first: mockademy /))
    expect(await tool('coverage', { about: 'weather' })).toMatchObject({
      failed: true,
      text: 'about "weather" is in no row, and is none of the groups api, tokens, webhooks, life, sign-in, shapes',
    })
    expect(await tool('coverage', { app: 'nots' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('status 404'),
    })
  })

  test('world reads each part, with tokens by their last four characters', async ({ tool, emulator, call }) => {
    await call('/v0/courses', { as: 'rt_acme' })
    const { data } = (await tool('world', { part: 'findings' })).value as { data: object[] }
    expect(data.map((finding) => Object.keys(finding))).toEqual([
      ['rule', 'level', 'section', 'count', 'message', 'entries', 'docs'],
    ])
    const { access_token } = await emulator.admin.mintTokens({ app: 'notes', organization: 'acme' })
    for (const part of ['organizations', 'people', 'apps', 'installations', 'deliveries', 'faults', 'findings']) {
      expect((await tool('world', { part })).value, part).toHaveProperty('data')
    }
    await emulator.admin.createApp({ manifest: { id: 'todo', name: 'To do', version: '1.0.0', permissions: [] } })
    expect((await tool('world', { part: 'apps', app: 'todo' })).value).toMatchObject({ data: [{ id: 'todo' }] })
    const one = await tool('world', { part: 'organizations', organization: 'zenith' })
    expect(one.value).toMatchObject({ data: [{ slug: 'zenith' }] })
    const tokens = await tool('world', { part: 'tokens', organization: 'acme' })
    expect(tokens.text).not.toContain(access_token)
    expect(tokens.text).toContain(`"last_four":"${access_token.slice(-4)}"`)
  })

  interface People {
    data: { organizations: { slug: string }[] }[]
  }

  test('world refuses a filter that a part does not take, and shows the people of one organization', async ({
    tool,
  }) => {
    const ofAcme = (await tool('world', { part: 'people', organization: 'acme' })).value as unknown as People
    expect(ofAcme.data).not.toEqual([])
    for (const person of ofAcme.data) expect(person.organizations.map(({ slug }) => slug)).toContain('acme')
    const everyone = (await tool('world', { part: 'people' })).value as unknown as People
    expect(everyone.data.length).toBeGreaterThan(ofAcme.data.length)
    expect(await tool('world', { part: 'people', organization: 'acmee' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('status 404'),
    })
    expect(await tool('world', { part: 'deliveries', app: 'notes' })).toMatchObject({
      failed: true,
      text: 'deliveries takes no app; it takes organization',
    })
    expect(await tool('world', { part: 'faults', organization: 'acme' })).toMatchObject({
      failed: true,
      text: 'faults takes no organization; it takes no filter',
    })
  })

  test('call lists, describes and makes every control call', async ({ tool, emulator }) => {
    const methods = Object.keys(emulator.admin).filter((name) => !['stream', 'report', 'sandbox'].includes(name))
    const { calls } = (await tool('call')).value as { calls: string[] }
    expect(calls.map((line) => line.split(':')[0])).toEqual(methods)
    expect((await tool('call', { name: 'putMember', describe: true })).value).toMatchObject({
      arguments: { required: ['slug', 'user', 'role'] },
    })
    await tool('call', { name: 'putMember', arguments: { slug: 'acme', user: 'bob@acme.test', role: 'admin' } })
    expect((await emulator.admin.getOrganization('acme')).members).toContainEqual(
      expect.objectContaining({ email: 'bob@acme.test', role: 'admin' }),
    )
    expect(await tool('call', { name: 'putMembr' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('did you mean "putMember"?'),
    })
    await tool('reset')
    expect((await emulator.admin.getOrganization('acme')).members).not.toContainEqual(
      expect.objectContaining({ email: 'bob@acme.test', role: 'admin' }),
    )
  })

  test('answer in at most 8,000 characters, and say what they left out', async ({ tool, emulator }) => {
    const page = { type: 'CONTENT' as const, name: 'Page', content: 'x'.repeat(5_000) }
    const elements = Array.from({ length: 9 }, () => page)
    await emulator.admin.addFixtures({
      users: Array.from({ length: 200 }, (_, index) => ({ email: `person-${index}@acme.test` })),
      organizations: [{ slug: 'long', courses: [{ name: 'Long', modules: [{ name: 'Long', elements }] }] }],
    })
    const answers = [
      await tool('world', { part: 'people' }),
      await tool('call', { name: 'getState' }),
      await tool('call', { name: 'adminDocument' }),
    ]
    for (const { text, value } of answers) {
      expect(text.length).toBeLessThanOrEqual(8_000)
      expect(value.left_out).toEqual(expect.arrayContaining([expect.stringMatching(/\d/)]))
    }
    const places = answers[1]?.value.left_out as string[]
    expect(places).toHaveLength(11)
    expect(places.at(-1)).toMatch(/^and in \d+ more places$/)
    expect(answers[0]?.value.left_out).toEqual([expect.stringMatching(/^data: the first \d+ of \d+ items$/)])
    expect(answers[0]?.text).toContain('person-199@acme.test')
    const long = 'x'.repeat(20_000)
    const refused = [await tool('explain', { what: long }), await tool('call', { name: long })]
    for (const { text, failed } of refused) {
      expect(failed).toBe(true)
      expect(text.length).toBeLessThanOrEqual(8_000)
    }
    expect(refused[0]?.text).toBe('explain was not called\nwhat: must be at most 200 characters long')
  })
})

describe('the resources of mockademy mcp', () => {
  test('are the pages of the documentation and the journal', async ({ client, tool, call, emulator }) => {
    await emulator.admin.setLiberties({ seed: '1', kinds: ['error-words'] })
    await call('/v0/courses', { as: 'nothing', injected: true })
    await emulator.admin.clearLiberties()
    const [entry] = await emulator.admin.listRequests()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining([
        ...['mockademy://docs/audit.md', 'mockademy://docs/clients/authlib.md', 'mockademy://journal'],
      ]),
    )
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string }
    expect((await read('mockademy://docs/audit.md')).text).toBe(await readFile(join(ROOT, 'docs/audit.md'), 'utf8'))
    expect(JSON.parse((await read('mockademy://journal')).text)).toMatchObject({
      entries: [expect.stringMatching(`^#${entry?.id} api GET /v0/courses 401: .*; liberties error-words$`)],
    })
    await expect(client.readResource({ uri: 'mockademy://docs/../package.json' })).rejects.toThrow()
    for (let request = 0; request < 400; request++) await call('/v0/courses', { as: 'nothing' })
    const { left_out } = JSON.parse((await read('mockademy://journal')).text)
    expect(left_out).toEqual([expect.stringMatching(/^entries: the first \d+ of 401 items$/)])
    // A term, too.
    expect((await tool('explain', { what: '401' })).value.failure).toMatch(/^#401 api /)
  })
})
