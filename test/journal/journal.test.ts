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
    ['/v0/courses/x/', ': the route is /v0/courses/x'],
    ['/oauth/token/', ': the route is /oauth/token'],
    ['/v0//elements', ': two slashes in a row, as when a base address ends with one'],
    ['/v0/elements//activities', ': an id in it is empty'],
    ['/v0/elements/', ': the id at its end is empty', 'PUT'],
    ['/v0/nothing/', ''],
    ['/v0/nothing', '', 'OPTIONS'],
    ['/elements', ': the route is /v0/elements'],
    ['/v0/v0/elements', ': the route is /v0/elements'],
    ['/api/v0/elements/x', ': the route is /v0/elements/:id', 'DELETE'],
    ['/v1/elements', ': the route is /v0/elements'],
    ['/v0/Elements', ': the route is /v0/elements'],
    ['/v0/element/x', ': the route is /v0/elements/:id'],
    ['/v0/oauth/token', ': the route is /oauth/token', 'POST'],
    ['/oauth2/token', ': the route is /oauth/token', 'POST'],
    ['/authorize', ': the route is /oauth/authorize'],
    ['/nothing', ''],
    ['/v0/keys', ''],
    [`/v0/Elements/${'x'.repeat(300)}`, ''],
    ['/oauth/jwks', ': the keys are at /.well-known/jwks.json'],
    ['/userinfo', ": the platform has no userinfo endpoint, and the id_token has the user's claims"],
    ['/.well-known/oauth-authorization-server', ': the discovery document is at /.well-known/openid-configuration'],
  ] as [string, string, string?][])(
    'says what is wrong with the path %s',
    async ([path, cause, method], { call, emulator }) => {
      await call(`${emulator.url}${path}`, { method })
      expect((await call('/_admin/requests')).body.data.at(-1).reason).toBe(`There is no route ${path}${cause}`)
    },
  )

  test('names the methods of a path', async ({ call }) => {
    await call('/v0/elements/x', { method: 'POST', as: 'key_acme' })
    const [{ reason }] = (await call('/_admin/requests')).body.data
    expect(reason).toBe('/v0/elements/x allows GET, HEAD, PUT, PATCH, DELETE, not POST')
  })

  test.for([
    ['elements/course1', 'There is no element course1: it is the id of a course'],
    ['modules/essay', 'There is no module essay: it is the id of an element'],
    ['activities/zpage', 'There is no activity zpage: it is the id of an element'],
    ['courses/acme', 'There is no course acme: it is the id of an organization'],
    [
      'elements/undefined',
      'There is no element undefined: the id is the text "undefined": the variable that it is read from has no value',
    ],
    [
      'elements/%7Bid%7D',
      'There is no element {id}: the id is a variable or placeholder that was not replaced by its value',
    ],
    ['elements/:id', 'There is no element :id: the id is a variable or placeholder that was not replaced by its value'],
    ['elements/zpage', 'The element zpage belongs to another organization'],
    ['members/Ada@acme.test', 'There is no member Ada@acme.test: it is the email address of the user ada'],
    ['members/nobody', 'There is no member nobody'],
    ['members/zoe', 'zoe is not a member of acme'],
    ['courses/course1/members/zoe', 'zoe is not a member of the course course1'],
    ['courses/course1/members/essay', 'There is no member essay: it is the id of an element'],
  ])('says what the id is in /v0/%s', async ([path, reason], { call }) => {
    expect((await call(`/v0/${path}`, { as: 'key_acme' })).body).toEqual({
      error: 'Resource not found',
      payload: null,
    })
    expect((await call('/_admin/requests')).body.data).toMatchObject([{ status: 404, reason }])
  })

  test.for([
    [{ module: 'zmodule' }, 'module: The module zmodule belongs to another organization'],
    [{ module: 'course1' }, 'module: There is no module course1: it is the id of a course'],
    [
      { type: 'PEER_REVIEW', properties: { source: { id: 'module1' } } },
      'properties.source: There is no element module1: it is the id of a module',
    ],
    [
      { type: 'SCORE', name: '', properties: { inputs: [{ element: 'zpage', weight: 1 }] } },
      'name must not be empty; properties.inputs.0.element: The element zpage belongs to another organization',
    ],
  ] as [object, string][])(
    'says more than the wire of what the body %j refers to',
    async ([fields, reason], { call }) => {
      const body = { module: 'module1', name: 'X', type: 'CONTENT', ...fields }
      const { details } = (await call('/v0/elements', { as: 'key_acme', body })).body
      expect(details.at(-1)).toEqual({
        path: expect.any(String),
        message: expect.stringMatching(/^there is no [a-z]+ "/),
      })
      expect((await call('/_admin/requests')).body.data[0].reason).toBe(`Validation failed: ${reason}`)
    },
  )

  test.for([
    ['name=x&type=CONTENT', 'The body is not valid JSON: it looks like a form (name=value)'],
    [
      '[object Object]',
      'The body is not valid JSON: it is the text "[object Object]", so the value was not passed through JSON.stringify',
    ],
    ['{\n"name": x}', 'The body is not valid JSON: invalid symbol at line 2, column 9'],
    [`"${'x'.repeat(70_000)}" x`, expect.stringMatching(/^The body is not valid JSON: Unexpected (?!.*xx)/)],
    ['{"name":', 'The body is not valid JSON: Unexpected end of JSON input'],
    [`{"name": x${' '.repeat(8_192)}}`, "The body is not valid JSON: Unexpected token 'x'"],
    ['"{}"', 'Validation failed: the body must be a JSON object; it is JSON that was serialized twice'],
    ['[]', 'Validation failed: the body must be a JSON object'],
    ['"x"', 'Validation failed: the body must be a JSON object'],
    ['eyJhIjoxfQ==', expect.stringMatching(/^The body is not valid JSON: (?!it looks)/)],
    ['[object secretvalue]', expect.not.stringContaining('secret')],
  ])('says why the body %s cannot be read', async ([raw, reason], { call }) => {
    const headers = { 'content-type': 'application/json' }
    expect((await call('/v0/elements', { as: 'key_acme', raw, headers })).status).toBe(400)
    expect((await call('/_admin/requests')).body.data).toMatchObject([{ reason }])
  })

  test('says of a request from a page that the API is for backends', async ({ call }) => {
    const headers = { origin: 'http://app.test' }
    const rest =
      "came from a page of http://app.test. The API sends no CORS headers, because keys and tokens belong in the app's " +
      'backend: send the request from there'
    const preflight = { ...headers, 'access-control-request-method': 'GET' }
    const refused = await call('/v0/elements', { method: 'OPTIONS', headers: preflight })
    expect(refused.headers.get('allow')).toBe('GET, HEAD, POST')
    await call('/v0/elements?limit=1', { as: 'key_acme', method: 'POST', body: [], headers })
    await call('/v0/elements', { as: 'key_acme', headers })
    const { data } = (await call('/_admin/requests')).body
    const code = 'api_request_from_page'
    expect(data).toMatchObject([
      { reason: `A browser's CORS preflight ${rest}`, warnings: [] },
      { warnings: [{ code: 'ignored_parameter' }, { code, path: 'Origin', message: `The request ${rest}` }] },
      { status: 200, warnings: [] },
    ])
  })

  test('of a preflight that meets a fault or no route, the fault and the route are the reason', async ({ call }) => {
    const headers = { origin: 'http://app.test', 'access-control-request-method': 'GET' }
    await call('/v0/nothing', { method: 'OPTIONS', headers })
    await call('/_admin/faults', { body: { match: { path: '/v0/*' }, effect: { status: 503 } } })
    await call('/v0/elements', { method: 'OPTIONS', headers })
    const reasons = ['There is no route /v0/nothing', 'Injected fault: status 503']
    expect((await call('/_admin/requests')).body.data.map(({ reason }: { reason: string }) => reason)).toEqual(reasons)
  })

  test.for([{}, { 'content-encoding': 'identity' }])('says that a body is not UTF-8: %j', async (more, { call }) => {
    const reason = 'The body is not UTF-8'
    const headers = { 'content-type': 'application/json', ...(more as object) }
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
    await call('/v0/courses', { headers: { authorization: 'Token null' } })
    expect((await call('/_admin/requests')).body.data).toMatchObject([
      { query: { token: '', apiKey: 'null' }, request: { headers: { authorization: 'Bearer undefined' } } },
      { request: { body: { refresh_token: 'undefined' } } },
      { request: { headers: { authorization: 'Token null' } } },
    ])
  })

  test('of control calls it shows no secret either, nor of the webhooks that they hold', async () => {
    await using emulator = await startEmulator({
      seed: 'test',
      now: '2026-01-01T00:00:00Z',
      fixtures: acme,
      journalAdmin: true,
    })
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
    ['since=2026-01-01T01:00:01%2B01:00', 1],
    ['since=2', 1],
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
      'The body is not valid JSON: invalid symbol at line 1, column 1',
      'The body is not valid JSON: invalid symbol at line 1, column 17',
      'No Authorization header was sent',
    ])
    expect(text).not.toMatch(/key_acme|at_acme/)
    expect(body.data[2].request.headers.referer).toContain('state=x')
  })

  test('never shows a secret of the deliveries and inboxes that a control call answers with', async () => {
    await using emulator = await startEmulator({
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
    await using emulator = await startEmulator({ fixtures: {}, journalSize: 2, journalAdmin: true })
    for (const path of ['/v0/a', '/v0/b', '/_admin']) await send(emulator.url + path)
    const { body } = await send(`${emulator.url}/_admin/requests`)
    expect(body.data.map(({ path }: { path: string }) => path)).toEqual(['/v0/b', '/_admin'])
  })

  test('keeps nothing with a journal_size of 0', async () => {
    await using emulator = await startEmulator({ fixtures: {}, journalSize: 0 })
    await send(`${emulator.url}/v0/a`)
    expect((await send(`${emulator.url}/_admin/requests`)).body.data).toEqual([])
    expect((await send(`${emulator.url}/_admin/requests/count`)).body).toEqual({ count: 0 })
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
    await using emulator = await startEmulator({
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
  })
})
