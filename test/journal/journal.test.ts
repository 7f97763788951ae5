import { gzipSync } from 'node:zlib'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { send, test } from '../harness/emulator-test.js'
import { acme } from '../harness/worlds/acme.js'

describe('control-api "Journal"', () => {
  test('keeps what came in and what went out', async ({ call }) => {
    await call('/v0/courses?page=nonsense', { as: 'key_acme' })
    const { body } = await call('/_admin/requests')
    expect(body.data).toHaveLength(1)
    expect(body.data[0]).toMatchObject({
      id: expect.any(Number),
      at: '2026-01-01T00:00:00.000Z',
      surface: 'api',
      method: 'GET',
      path: '/v0/courses',
      query: { page: 'nonsense' },
      status: 400,
      app: null,
      organization: 'acme',
      user: null,
      reason: expect.stringContaining('page'),
      fault: null,
      warnings: [],
      request: { headers: { authorization: '[redacted]' }, body: null },
      response: { headers: { 'content-type': 'application/json; charset=utf-8' }, body: { payload: null } },
    })
    // In a seeded world whose clock stands still no time passes.
    expect(body.data[0].duration).toBe(0)
  })

  test('a duration is real where time passes', async ({ call }) => {
    await call('/_admin/clock/resume', { method: 'POST' })
    await call('/v0/courses', { as: 'key_acme' })
    expect((await call('/_admin/requests')).body.data[0].duration).toBeGreaterThan(0)
  })

  test('says of a refusal why, in more words than the wire', async ({ call }) => {
    await call('/v0/courses', { as: 'at_acme' })
    await call('/v0/courses/zcourse', { as: 'key_acme' })
    await call('/_admin/clock/advance', { body: { by: '2h' } })
    await call('/v0/courses', { as: 'at_acme' })
    const reasons = (await call('/_admin/requests')).body.data.map(({ reason }: { reason: string }) => reason)
    expect(reasons).toEqual([
      expect.stringContaining('The token lacks the scope courses:read; it has: elements:read'),
      'The course zcourse belongs to another organization',
      'The access token expired at 2026-01-01T01:00:00.000Z',
    ])
  })

  test.for([
    ['//oauth/token', ': two slashes in a row, as when a base address ends with one'],
    ['/v0/courses/', ': the route is /v0/courses'],
    ['/v0/nothing/', ''],
    ['/.well-known/oauth-authorization-server', ': the discovery document is at /.well-known/openid-configuration'],
  ] as const)('says what is wrong with the path %s', async ([path, cause], { call, emulator }) => {
    await call(`${emulator.url}${path}`)
    expect((await call('/_admin/requests')).body.data.at(-1).reason).toBe(`There is no route ${path}${cause}`)
  })

  test.for([
    [{}, 'The body is not UTF-8'],
    [{ 'content-encoding': 'gzip' }, 'The body is compressed (Content-Encoding: gzip), which is not supported'],
  ] as const)('says why a body with the headers %j cannot be read', async ([more, reason], { call }) => {
    const headers = { 'content-type': 'application/json', ...more }
    const answer = await call('/v0/elements', { as: 'key_acme', method: 'POST', raw: gzipSync('{}'), headers })
    expect(answer).toMatchObject({ status: 400, body: { error: 'The body is not valid JSON', payload: null } })
    expect((await call('/_admin/requests')).body.data).toMatchObject([{ status: 400, reason }])
  })

  test('marks an injected fault, which the wire does not', async ({ call }) => {
    const { id } = (await call('/_admin/faults', { body: { effect: 'unavailable' } })).body
    const answer = await call('/v0/courses', { as: 'key_acme' })
    expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(id)
    expect((await call('/_admin/requests')).body.data).toMatchObject([{ fault: id, status: 503 }])
  })

  test('never shows a secret', async ({ call }) => {
    const form = {
      grant_type: 'refresh_token',
      refresh_token: 'rt_acme',
      client_id: 'app_notes',
      client_secret: 'notes_secret',
    }
    const { access_token, refresh_token } = (await call('/oauth/token', { form })).body
    await call('/v0/courses', { as: access_token })
    const { text, body } = await call('/_admin/requests')
    for (const secret of ['rt_acme', 'notes_secret', access_token, refresh_token]) expect(text).not.toContain(secret)
    expect(body.data[0]).toMatchObject({ app: 'notes', request: { body: { refresh_token: '[redacted]' } } })
  })

  test('never shows a secret that came under a wrong name', async ({ call }) => {
    await call('/v0/courses?apiKey=key_acme', { headers: { 'x-api-key': 'key_acme', token: 'at_acme' } })
    await call('/v0/elements', { as: 'key_acme', body: { accessToken: 'at_acme', content: '{"api_key":"key_acme"}' } })
    await call('/oauth/authorize?prompt=none&id_token_hint=eyJ.hint')
    const { text, body } = await call('/_admin/requests')
    for (const secret of ['key_acme', 'at_acme', 'eyJ.hint']) expect(text).not.toContain(secret)
    expect(body.data[0]).toMatchObject({
      query: { apiKey: '[redacted]' },
      request: { headers: { token: '[redacted]' } },
    })
    expect(body.data[1].request.body).toEqual({ accessToken: '[redacted]', content: '{"api_key":"[redacted]"}' })
  })

  test('shows a secret that has no value', async ({ call }) => {
    await call('/v0/courses?token=&apiKey=null', { as: 'undefined' })
    await call('/oauth/token', { form: { grant_type: 'refresh_token', refresh_token: 'undefined' } })
    expect((await call('/_admin/requests')).body.data).toMatchObject([
      { query: { token: '', apiKey: 'null' }, request: { headers: { authorization: 'Bearer undefined' } } },
      { request: { body: { refresh_token: 'undefined' } } },
    ])
  })

  test('of control calls it shows no secret either, nor of the webhooks that they hold', async () => {
    const emulator = await startEmulator({
      seed: 'test',
      now: '2026-01-01T00:00:00Z',
      fixtures: acme,
      journalAdmin: true,
    })
    try {
      const webhook = { url: `${emulator.url}/_inbox/notes` }
      const manifest = Object.assign({}, acme.apps?.[0]?.manifest, { webhook })
      await send(`${emulator.url}/_admin/apps/notes/manifest`, { method: 'PUT', body: manifest })
      const made = await send(`${emulator.url}/_admin/installations`, {
        body: { app: 'notes', organization: 'zenith' },
      })
      const { access_token, refresh_token } = made.body.credentials
      const [entry] = (await send(`${emulator.url}/_admin/inboxes/notes`)).body.data
      const state = await send(`${emulator.url}/_admin/state`)
      const { text: before } = await send(`${emulator.url}/_admin/requests`)
      expect(before).toContain('/_admin/inboxes/notes')
      // Replacing the world empties the journal; the call itself is its first entry.
      await send(`${emulator.url}/_admin/state`, { method: 'PUT', body: state.body })
      const text = before + (await send(`${emulator.url}/_admin/requests`)).text
      const secrets = ['key_acme', 'notes_secret', 'notes_signing', entry.headers['platform-signature']]
      for (const secret of [...secrets, access_token, refresh_token]) expect(text).not.toContain(secret)
    } finally {
      await emulator.close()
    }
  })

  test.for([
    ['surface=api', 3],
    ['surface=oauth', 0],
    ['method=get', 3],
    ['path=/v0/courses', 2],
    ['path=/v0/courses*', 3],
    ['path=*/courses', 2],
    ['path=*/nothing', 1],
    ['path=/v0/*/not*g', 1],
    ['path=/v0/*/courses', 0],
    ['path=*courses*courses', 0],
    ['status=404', 1],
    ['organization=acme', 2],
    ['app=notes', 1],
    ['app=app_notes', 1],
    ['since=2026-01-01T00:00:01Z', 1],
    ['limit=2', 2],
    ['path=/v0/courses&status=200', 1],
  ] as const)('filters: %s', async ([filter, count], { call }) => {
    await call('/v0/courses', { as: 'key_zenith' })
    await call('/v0/courses/nothing', { as: 'key_acme' })
    await call('/_admin/clock/advance', { body: { by: '1s' } })
    await call('/v0/courses', { as: 'at_acme' })
    expect((await call(`/_admin/requests?${filter}`)).body.data).toHaveLength(count)
    expect((await call(`/_admin/requests/count?${filter}`)).body).toEqual({ count })
  })

  test('never shows a secret that a body which is not JSON, or a referer, has in it', async ({ call }) => {
    const headers = { 'content-type': 'application/json' }
    await call('/v0/elements', { as: 'key_acme', raw: 'key_acme', headers })
    await call('/v0/elements', { as: 'key_acme', raw: '{"access_token":at_acme}', headers })
    await call('/v0/courses', { headers: { referer: 'http://localhost/callback?code=at_acme&state=x' } })
    const { body, text } = await call('/_admin/requests')
    expect(body.data.map(({ reason }: { reason: string }) => reason)).toEqual([
      "Unexpected token 'k'",
      "Unexpected token 'a'",
      'No Authorization header was sent',
    ])
    expect(text).not.toMatch(/key_acme|at_acme/)
    expect(body.data[2].request.headers.referer).toContain('state=x')
  })

  test('never shows a secret of the deliveries and inboxes that a control call answers with', async () => {
    const emulator = await startEmulator({
      seed: 'test',
      now: '2026-01-01T00:00:00Z',
      fixtures: acme,
      journalAdmin: true,
    })
    const manifest = {
      ...Object(acme.apps?.[0]?.manifest),
      id: 'boxed',
      webhook: { url: `${emulator.url}/_inbox/box` },
    }
    await send(`${emulator.url}/_admin/apps`, { body: { manifest } })
    const install = { app: 'boxed', organization: 'acme' }
    const { access_token } = (await send(`${emulator.url}/_admin/installations`, { body: install })).body.credentials
    expect((await send(`${emulator.url}/_admin/state`)).text).toContain(access_token)
    expect((await send(`${emulator.url}/_admin/inboxes/box`)).text).toContain(access_token)
    expect((await send(`${emulator.url}/_admin/requests`)).text).not.toContain(access_token)
    await emulator.close()
  })

  test('an unknown filter is an error, and so is a bad value', async ({ call }) => {
    expect((await call('/_admin/requests?statu=200')).body.errors).toMatchObject([{ path: 'statu' }])
    for (const status of ['ok', '99', '600']) {
      const { body } = await call(`/_admin/requests?status=${status}`)
      expect([body.status, body.errors]).toMatchObject([400, [{ path: 'status' }]])
    }
  })

  test('can be emptied', async ({ call }) => {
    await call('/v0/courses', { as: 'key_acme' })
    expect((await call('/_admin/requests', { method: 'DELETE' })).body).toEqual({ affected: 1 })
    expect((await call('/_admin/requests')).body.data).toEqual([])
  })

  test('keeps the newest journal_size, and control calls only with journal_admin', async () => {
    const emulator = await startEmulator({ fixtures: {}, journalSize: 2, journalAdmin: true })
    for (const path of ['/v0/a', '/v0/b', '/_admin']) await send(emulator.url + path)
    const { body } = await send(`${emulator.url}/_admin/requests`)
    expect(body.data.map(({ path }: { path: string }) => path)).toEqual(['/v0/b', '/_admin'])
    await emulator.close()
  })

  test('keeps nothing with a journal_size of 0', async () => {
    const emulator = await startEmulator({ fixtures: {}, journalSize: 0 })
    await send(`${emulator.url}/v0/a`)
    expect((await send(`${emulator.url}/_admin/requests`)).body.data).toEqual([])
    expect((await send(`${emulator.url}/_admin/requests/count`)).body).toEqual({ count: 0 })
    await emulator.close()
  })

  test.for(['/_admin/requests', '/_admin/requests/count'])(
    '%s: a name that does not exist is 404',
    async (path, { call }) => {
      await call('/v0/elements', { as: 'at_acme' })
      expect(await call(`${path}?app=zz`)).toMatchObject({
        status: 404,
        body: { detail: 'There is no app "zz"; there are: notes' },
      })
      expect(await call(`${path}?organization=zz`)).toMatchObject({
        status: 404,
        body: { detail: 'There is no organization "zz"; there are: acme, zenith' },
      })
    },
  )

  test('what has been deleted is found by its entries while there are some', async ({ call }) => {
    await call('/v0/elements', { as: 'at_acme' })
    await call('/_admin/apps/notes', { method: 'DELETE' })
    await call('/_admin/organizations/acme', { method: 'DELETE' })
    for (const filter of ['app=notes', 'organization=acme']) {
      expect((await call(`/_admin/requests/count?${filter}`)).body).toEqual({ count: 1 })
    }
    await call('/_admin/requests', { method: 'DELETE' })
    for (const filter of ['app=notes', 'organization=acme']) {
      expect((await call(`/_admin/requests/count?${filter}`)).status).toBe(404)
    }
  })

  test('never shows a secret of a webhook body that a fault has cut off either', async () => {
    const emulator = await startEmulator({
      fixtures: {},
      journalAdmin: true,
      seed: 'cut off',
      now: '2026-01-01T00:00:00Z',
    })
    const control = (path: string, body?: unknown) => send(`${emulator.url}/_admin/${path}`, { body })
    await control('fixtures', {
      users: [{ email: 'ada@acme.test' }],
      organizations: [{ slug: 'acme', members: [{ user: 'ada@acme.test', role: 'owner' }] }],
    })
    const manifest = {
      id: 'notes',
      name: 'Notes',
      version: '1.0.0',
      permissions: ['elements:read'],
      oauth: { install: true },
      webhook: { url: `${emulator.url}/_inbox/notes` },
    }
    await control('apps', { manifest })
    const { installation } = (await control('installations', { app: 'notes', organization: 'acme' })).body
    await control('faults', { match: { surface: 'webhook' }, effect: 'truncate' })
    const data = { access_token: 'at_cut_off', filler: 'x'.repeat(1000) }
    await control('events', { type: 'notes.shared', installation: installation.id, data })
    const sent = (await control('inboxes/notes')).body.data.at(-1).raw
    expect(() => JSON.parse(sent)).toThrow(SyntaxError)
    expect(sent).toContain('at_cut_off')
    await control('state')
    expect((await control('requests')).text).not.toContain('at_cut_off')
    await emulator.close()
  })
})
