import { createHash, randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { connect } from 'mockademy'
import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'
import { readReport } from '../harness/read-report.js'
import { startReceiver } from '../harness/receiver.js'
import { serve } from '../harness/serve.js'
import { authorizePath, formOf, landing } from '../harness/sign-in-test.js'

const of = <T>(list: { [name: string]: T }[], name: string) => list.map((item) => item[name])

describe('the report of a run', () => {
  test('has activity with marks and reasons, deliveries, findings, faults, coverage, clock, tokens and counts', async ({
    emulator,
    call,
    folder,
  }) => {
    const { admin } = emulator
    await admin.mark('lists members', { kind: 'test' })
    await call('/v0/members', { as: 'at_acme' })
    await admin.addFault({ match: { surface: 'api' }, effect: { status: 503, body: 'closed' }, times: 1 })
    await call('/v0/courses', { as: 'key_acme', injected: true })
    await call('/v0/courses', { as: 'rt_acme' })
    const [installation] = await admin.listInstallations()
    await admin.sendEvent({ type: 'app.custom', installation: installation?.id ?? '', data: {} })
    await admin.advanceClock('10s')
    await admin.freezeClock('2026-02-01T00:00:00Z')
    await admin.createUser({ email: 'new@acme.test' })

    const file = await emulator.report(join(folder, 'new/run.html'), { title: 'npm test', command: 'npm test' })
    expect(file).toBe(join(folder, 'new/run.html'))
    const { data, results } = await readReport(file)
    expect(data).toMatchObject({ title: 'npm test', command: 'npm test', url: emulator.url })
    expect(data).toMatchObject({ body_limit: null, left_out: 0 })
    const [members, faulted, refused] = results['/_admin/requests']
    expect(members).toMatchObject({ status: 403, mark: 'lists members', response: { body: { payload: null } } })
    expect(members.reason).toContain('lacks the scope members:read')
    expect(faulted).toMatchObject({ status: 503, reason: 'Injected fault: status 503, body' })
    expect(refused.findings).toEqual(['wrong_kind_of_token'])
    const [delivery] = results['/_admin/deliveries']
    expect(delivery).toMatchObject({ event: { type: 'app.custom' }, attempts: [{ status: null }, { status: null }] })
    expect(of(results['/_admin/findings'], 'rule')).toContain('wrong_kind_of_token')
    expect(results['/_admin/faults']).toMatchObject([{ effect: 'status 503, body', hits: 1, left: 0 }])
    expect(results['/_admin/coverage']).toMatchObject({ app: 'notes', groups: expect.anything() })
    const from = '2026-01-01T00:00:00.000Z'
    expect(results['/_admin/clock'].moves).toEqual([
      { organization: null, kind: 'advance', from, to: '2026-01-01T00:00:10.000Z' },
      { organization: null, kind: 'freeze', from: '2026-01-01T00:00:10.000Z', to: '2026-02-01T00:00:00.000Z' },
    ])
    expect(results['/_admin/installations']).toMatchObject([{ app: 'notes', organization: 'acme' }])
    const versions = [{ version: '1.0.0', pushed_at: expect.any(String) }]
    expect(results['/_admin/apps']).toEqual([{ id: 'notes', client_id: 'app_notes', name: 'Notes', versions }])
    expect(of(results['/_admin/tokens'], 'last_four')).toContain('acme')
    const { counts, start_counts, settings, version } = results['/_admin']
    expect({ ...start_counts, users: start_counts.users + 1, faults: 1, deliveries: 1 }).toEqual(counts)
    expect(settings.seed).toBe('test')
    // The lines are run against another emulator.
    expect(JSON.stringify(results['/_admin/coverage'])).toContain('mockademy faults add')
    expect(JSON.stringify(results['/_admin/coverage'])).not.toContain('--url')
    expect(version).toMatch(/^\d/)
  })

  test('runs its own script and styles alone, and loads and sends nothing', async ({ emulator, folder }) => {
    const { html } = await readReport(await emulator.report(join(folder, 'run.html')))
    const hashOf = (pattern: RegExp) => {
      const [, text = ''] = pattern.exec(html) ?? []
      expect(text.length).toBeGreaterThan(1_000)
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    }
    const script = hashOf(/<script type="module">([\s\S]*?)<\/script>/)
    const style = hashOf(/<style>([\s\S]*?)<\/style>/)
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? []
    expect(policy.split('; ').toSorted()).toEqual([
      ...["base-uri 'none'", "default-src 'none'", "form-action 'none'", 'img-src data:'],
      ...[`script-src ${script}`, `style-src ${style}`],
    ])
    expect(html.match(/<script\b/g)).toHaveLength(2)
  })

  test('of one organization leaves out the others; a folder has a file for each title', async ({
    emulator,
    call,
    folder,
  }) => {
    await call('/v0/courses', { as: 'key_acme' })
    await emulator.admin.sandbox({ name: 'Other' })
    const options = { title: 'shop › lists: "courses"?', organization: 'acme' }
    const file = await emulator.admin.report(`${folder}/`, options)
    expect(basename(file)).toMatch(/^shop-lists-courses-[0-9a-f]{8}\.html$/)
    const { results } = await readReport(file)
    expect(of(results['/_admin/requests'], 'organization')).toEqual(['acme'])
    const other = await emulator.report(`${folder}/`, { ...options, title: 'shop lists courses' })
    expect(other).not.toBe(file)
    // The folder exists, so it needs no slash.
    expect(await emulator.report(folder, options)).toBe(file)
  })

  test('is refused for a file that is no path, and for options that do not exist', async ({ emulator, folder }) => {
    const write = (file: unknown, options?: object) => emulator.report(file as string, options)
    for (const file of [undefined, '', new URL('file:///run.html')]) {
      await expect(write(file)).rejects.toThrow('Invalid options: file must be the path of a file, or of a folder')
    }
    const misspelled = write(`${folder}/`, { titel: 'signs in' })
    await expect(misspelled).rejects.toThrow('titel is not a known option; did you mean "title"?')
    await expect(write(`${folder}/`, { title: 5 })).rejects.toThrow('Invalid options: title must be a string')
    expect(await readdir(folder)).toEqual([])
  })
})

/** Values that no report may contain. */
const given = {
  adminToken: 'canary-admin-token',
  apiKey: 'canary.api+key',
  clientSecret: 'canary/client secret',
  signingSecret: 'canary-signing-secret',
}

describe('secrets', () => {
  test.override({
    settings: { adminToken: given.adminToken },
    world: {
      users: [{ id: 'ada', email: 'ada@acme.test' }],
      organizations: [{ slug: 'acme', name: 'Acme', api_key: given.apiKey, members: [{ user: 'ada', role: 'owner' }] }],
    },
  })

  test('are nowhere in a report, wherever the app put them', async ({ emulator, call, folder }) => {
    const { admin } = emulator
    const receiver = await startReceiver()
    await admin.createApp({
      client_id: 'app_hook',
      client_secret: given.clientSecret,
      signing_secret: given.signingSecret,
      manifest: {
        ...{ id: 'hook', name: 'Hook', version: '1.0.0', permissions: ['courses:read', 'openid'] },
        oauth: { install: true, authorize: { redirect_uris: ['http://localhost:3000/callback'] } },
        webhook: { url: `${receiver.url}?key=${given.signingSecret}` },
      },
    })
    receiver.handles((_, response) => {
      const headers = { 'content-type': 'text/html', 'x-key': given.apiKey }
      response.writeHead(500, headers).end(`<title>Cannot read ${given.signingSecret}</title>`)
    })
    const { credentials, installation } = await admin.install({ app: 'hook', organization: 'acme' })
    const { cookie } = await admin.signIn('ada')
    const headers = { cookie: `${cookie.name}=${cookie.value}` }
    const redirect_uri = 'http://localhost:3000/callback'
    const page = await call(authorizePath({ client_id: 'app_hook', scope: 'openid', redirect_uri }), { headers })
    const { action, fields } = formOf(page.text)
    const { code = '' } = landing(await call(action, { headers, form: { ...fields, decision: 'allow' } })).query
    expect(code).toMatch(/^ac_/)
    const { access_token, refresh_token } = credentials ?? { access_token: 'none', refresh_token: 'none' }
    const secrets = [...Object.values(given), access_token, refresh_token, cookie.value, code]
    for (const secret of secrets) {
      const inUrl = encodeURIComponent(secret)
      await call(`/v0/courses/${inUrl}?token=${inUrl}&next=${encodeURIComponent(`/x?token=${inUrl}`)}`, { as: secret })
      await call('/oauth/token', {
        form: { grant_type: 'refresh_token', refresh_token: secret, client_secret: secret },
      })
      const own = { 'user-agent': `app ${secret}`, 'content-type': 'text/plain' }
      await call('/_inbox/any', { method: 'POST', headers: own, raw: `the secret is "${secret}"` })
      await call('/_inbox/any', { body: { [secret]: secret, in: { a: [`Bearer ${secret}`] } } })
      await admin.mark(`with "${secret}"`)
      await admin.addFault({ match: { path: '/v0/nowhere' }, effect: { merge: { a: secret } } })
      await admin.sendEvent({ type: 'app.custom', installation: installation.id, data: { secret } })
    }
    const state = await admin.getState()
    expect(JSON.stringify(state)).toContain(given.clientSecret)

    const file = await emulator.report(join(folder, 'run.html'))
    const { html, text } = await readReport(file)
    expect(text).toContain('[redacted]')
    for (const secret of secrets) {
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
        expect(text).not.toContain(form)
        expect(html).not.toContain(form)
      }
    }
  })
})

/** Returns text that cannot be compressed. */
const random = (length: number) => randomBytes(length).toString('base64').slice(0, length)

/** An emulator whose journal has these entries, and that has made these deliveries. */
async function emulatorWith(entries: object[], deliveries: object[] = []) {
  const answers: Record<string, unknown> = {
    '/_admin': { base_url: 'http://127.0.0.1:4600', counts: {}, start_counts: {}, settings: {} },
    '/_admin/requests': { data: entries },
    '/_admin/deliveries': { data: deliveries },
    '/_admin/clock': { now: '2026-01-01T00:00:00.000Z', offset: 0 },
    '/_admin/liberties': { seed: null },
  }
  const { url } = await serve((request, response) =>
    response.end(JSON.stringify(answers[new URL(request.url ?? '', 'http://x').pathname] ?? { data: [] })),
  )
  return connect(url)
}

describe('a report of 10,000 exchanges is at most 5 MB', () => {
  const entriesOf = (header: number, body: number) =>
    Array.from({ length: 10_000 }, (_, index) => ({
      id: index + 1,
      request: { headers: { a: random(header) }, body: null, length: 0 },
      response: { headers: {}, body: random(body), length: body },
    }))

  test('bodies are cut first, and it says so', async ({ folder }) => {
    const entries = entriesOf(10, 900)
    // As JSON, it has 256 characters.
    const short = { headers: {}, body: { a: random(248) }, length: 256 }
    entries.push({ id: 10_001, request: { headers: { a: '' }, body: null, length: 0 }, response: short as never })
    const attempts = entries.slice(0, 1)
    const admin = await emulatorWith(entries, [{ id: 'one', attempts }])
    const file = await admin.report(join(folder, 'run.html'))
    expect((await stat(file)).size).toBeLessThanOrEqual(5_000_000)
    const { data, results } = await readReport(file)
    expect(data).toMatchObject({ body_limit: 256, left_out: 0 })
    expect(results['/_admin/requests']).toHaveLength(10_001)
    const { body } = entries[0]?.response ?? {}
    const shortened = { headers: {}, body: body?.slice(0, 256), length: 900 }
    expect(results['/_admin/requests'][0].response).toEqual(shortened)
    expect(results['/_admin/requests'].at(-1).response).toEqual(short)
    expect(results['/_admin/deliveries'][0].attempts[0].response).toEqual(shortened)
  })

  test('then the oldest are left out, and it says so', async ({ folder }) => {
    const admin = await emulatorWith(entriesOf(900, 50))
    const file = await admin.report(join(folder, 'run.html'))
    expect((await stat(file)).size).toBeLessThanOrEqual(5_000_000)
    const { data, results } = await readReport(file)
    const kept = results['/_admin/requests']
    expect(data).toMatchObject({ body_limit: 0, left_out: 10_000 - kept.length })
    expect(data.left_out).toBeGreaterThan(0)
    expect([kept.at(-1).id, kept[0].id]).toEqual([10_000, data.left_out + 1])
    expect(kept[0].response).toEqual({ headers: {}, body: null, length: 50 })
  })
})
