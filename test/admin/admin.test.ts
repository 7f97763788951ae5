import { request } from 'node:http'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { send, test } from '../harness/emulator-test.js'

/** `fetch` sets its own Host; this does not. */
const statusFor = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { headers, setHost: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject).end()
  })

describe('control-api "Who may call"', () => {
  test.for(['localhost', '127.0.0.1:80', '[::1]', '10.1.2.3', 'emulator', 'a.localhost', 'host.docker.internal'])(
    'the host %s is let in',
    async (host, { emulator }) => {
      expect(await statusFor(`${emulator.url}/_admin`, { host })).toBe(200)
    },
  )

  test.for(['evil.test', '127.0.0.1.evil.test', 'localhost.evil.test'])(
    'the host %s is refused, as it could be pointed here by somebody else',
    async (host, { emulator }) => {
      expect(await statusFor(`${emulator.url}/_admin`, { host })).toBe(403)
      expect(await statusFor(`${emulator.url}/healthz`, { host })).toBe(200)
    },
  )

  test.for(['/_admin', '/', '/login', '/oauth/authorize?client_id=app_notes', '/apps/notes/install'])(
    'the refusal of a foreign host at %s names it and the setting',
    async (path, { call }) => {
      const { status, text } = await call(path, { headers: { host: 'evil.test' } })
      expect(status).toBe(403)
      expect(text).toContain('The host evil.test is not trusted. If it is yours, add it to trust_hosts.')
    },
  )

  test('hosts of app_url, browser_url and trust_hosts are let in', async () => {
    const settings = { appUrl: 'https://app.test', browserUrl: 'https://web.test', trustHosts: ['CI.test'] }
    await using emulator = await startEmulator({ fixtures: {}, ...settings })
    for (const host of ['app.test', 'web.test', 'ci.test']) {
      expect(await statusFor(`${emulator.url}/_admin`, { host })).toBe(200)
    }
  })

  test('a page of another origin is refused; the own origin is not; there are no CORS headers', async ({
    call,
    emulator,
  }) => {
    const refused = await call('/_admin', { headers: { origin: 'https://evil.test' } })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ status: 403, title: 'Forbidden' })
    const answer = await call('/_admin', { headers: { origin: emulator.url } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    // A proxy may speak TLS for the emulator.
    const { host } = new URL(emulator.url)
    expect((await call('/_admin', { headers: { origin: `https://${host}` } })).status).toBe(200)
  })

  test('with admin_token a bearer token is required, except for /healthz', async () => {
    await using emulator = await startEmulator({ fixtures: {}, adminToken: 's3cret' })
    const without = await send(`${emulator.url}/_admin`)
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(without.text).not.toContain('s3cret')
    expect((await send(`${emulator.url}/_admin`, { as: 'wrong' })).status).toBe(401)
    const admitted = await send(`${emulator.url}/_admin`, { as: 's3cret' })
    expect(admitted.status).toBe(200)
    expect(admitted.text).not.toContain('s3cret')
    expect((await send(`${emulator.url}/healthz`)).status).toBe(200)
  })

  test.for([
    ['PUT', '/_admin/state'],
    ['POST', '/_admin/fixtures'],
  ])('%s %s cannot set an admin token', async ([method, path], { call }) => {
    const before = (await call('/_admin/state')).body
    const { status, body } = await call(path as string, { method, body: { settings: { admin_token: 's3cret' } } })
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      { path: 'settings.admin_token', message: expect.stringContaining('start the emulator with --admin-token') },
    ])
    expect((await call('/_admin/state')).body).toEqual(before)
  })

  test('PUT /_admin/state leaves the admin token of a fixture as it is', async () => {
    const settings = { admin_token: 's3cret' }
    await using emulator = await startEmulator({ fixtures: { settings } })
    const put = (body: unknown) => send(`${emulator.url}/_admin/state`, { method: 'PUT', body, as: 's3cret' })
    expect((await put({ users: [], settings })).status).toBe(200)
    expect((await put({ users: [] })).status).toBe(200)
    expect((await send(`${emulator.url}/_admin`)).status).toBe(401)
    expect((await send(`${emulator.url}/_admin`, { as: 's3cret' })).status).toBe(200)
  })
})

describe('control-api rule 3: errors are problems', () => {
  test('404, 405 with Allow, 413, 415, and 400 with the place for a body that is not JSON', async ({ call }) => {
    const missing = await call('/_admin/nothing')
    expect(missing).toMatchObject({ status: 404, body: { type: 'about:blank', status: 404 } })
    expect(missing.headers.get('content-type')).toBe('application/problem+json')
    const method = await call('/_admin/clock', { method: 'DELETE' })
    expect(method.status).toBe(405)
    expect(method.headers.get('allow')).toBe('GET, HEAD')
    const text = await call('/_admin/organizations', { raw: 'slug=neo', headers: { 'content-type': 'text/plain' } })
    expect(text.status).toBe(415)
    const broken = { raw: '{"slug": "neo",}', headers: { 'content-type': 'application/json' } }
    expect(await call('/_admin/organizations', broken)).toMatchObject({
      status: 400,
      // Node.js 22 and later add the line.
      body: {
        errors: [
          { path: '', message: expect.stringMatching(/^is not valid JSON: .* position 15( \(line 1 column 16\))?$/) },
        ],
      },
    })
    const large = await call('/_admin/organizations', {
      raw: `"${'x'.repeat(10 * 1024 * 1024)}"`,
      headers: { 'content-type': 'application/json' },
    })
    expect(large.status).toBe(413)
  })

  test.for([
    ['PUT', '/_admin/users/none', { email: 5 }],
    ['PUT', '/_admin/apps/none/manifest', {}],
    ['PUT', '/_admin/organizations/none/members/none', {}],
    ['POST', '/_admin/installations/none/upgrade', { version: 5 }],
    ['POST', '/_admin/snapshots/none/restore', { until: 5 }],
    ['PUT', '/_admin/reports/none', 5],
    ['POST', '/_admin/organizations/none/api-key', { a: 1 }],
    ['POST', '/_admin/deliveries/none/redeliver', { a: 1 }],
    ['DELETE', '/_admin/apps/none', { a: 1 }],
    ['DELETE', '/_admin/faults/none', { a: 1 }],
    ['DELETE', '/_admin/installations/none', { a: 1 }],
    ['DELETE', '/_admin/organizations/none', { a: 1 }],
    ['DELETE', '/_admin/organizations/none/members/none', { a: 1 }],
    ['DELETE', '/_admin/sandboxes/none', { a: 1 }],
    ['DELETE', '/_admin/snapshots/none', { a: 1 }],
    ['DELETE', '/_admin/users/none', { a: 1 }],
  ] as const)(
    '%s %s: the syntax of the body is checked first, then existence, then validity',
    async ([method, path, body], { call }) => {
      const malformed = { method, raw: '{"a":', headers: { 'content-type': 'application/json' } }
      expect(await call(path, malformed)).toMatchObject({ status: 400, body: { errors: [{ path: '' }] } })
      expect((await call(path, { method, body })).status).toBe(404)
      expect((await call(`${path}?x=1`, { method })).status).toBe(404)
    },
  )

  test.for([
    ['POST', '/_admin/reset'],
    ['POST', '/_admin/clock/resume'],
    ['POST', '/_admin/organizations/acme/api-key'],
    ['DELETE', '/_admin/requests'],
  ] as const)(
    '%s %s reads neither a body nor a query: an unknown field is an error',
    async ([method, path], { call }) => {
      expect((await call(path, { method, body: { app: 'notes' } })).body.errors).toMatchObject([{ path: 'app' }])
      expect((await call(`${path}?app=notes`, { method })).body.errors).toMatchObject([{ path: 'app' }])
      expect((await call(path, { method, raw: '{', headers: { 'content-type': 'application/json' } })).status).toBe(400)
      expect((await call(path, { method, body: {} })).status).toBe(200)
    },
  )

  test.for([
    ['POST', '/_admin/faults', { effect: 'unavailable', expires_in: '40000d' }, 'expires_in'],
    ['POST', '/_admin/faults', { effect: { delay: '25d' } }, 'effect.delay'],
    ['POST', '/_admin/tokens', { app: 'notes', organization: 'acme', ttl: 9e15 }, 'ttl'],
    ['PUT', '/_admin/inboxes/box', { delay: '25d' }, 'delay'],
    ['POST', '/_admin/clock/advance', { by: 9e15 }, 'by'],
  ] as const)('%s %s refuses a duration that leads nowhere: %o', async ([method, path, body, at], { call }) => {
    const answer = await call(path, { method, body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].path).toBe(at)
  })

  test('a body that may be left out is an object all the same', async ({ call }) => {
    const headers = { 'content-type': 'application/json' }
    expect((await call('/_admin/clock/freeze', { raw: 'null', headers })).status).toBe(400)
  })

  test('a list without filters refuses one', async ({ call }) => {
    expect((await call('/_admin/users?organization=acme')).body.errors).toMatchObject([{ path: 'organization' }])
  })

  test.for([
    '/_admin/installations?app=nots',
    '/_admin/installations?organization=acm',
    '/_admin/deliveries?organization=acm',
    '/_admin/deliveries?installation=none',
    '/_admin/tokens?user=nobody',
  ])('%s names what does not exist: 404, saying what does', async (path, { call }) => {
    const { status, body } = await call(path)
    expect(status).toBe(404)
    expect(body.detail).toMatch(/^There is no .+; there are: .+/)
  })
})

describe('control-api "Organizations, users, apps"', () => {
  test('an organization is made, shown, given an API key and taken away', async ({ call }) => {
    const made = await call('/_admin/organizations', { body: { slug: 'neo', name: 'Neo' } })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      slug: 'neo',
      name: 'Neo',
      created_at: '2026-01-01T00:00:00.000Z',
      members: [],
      api_key_last_four: null,
      counts: { courses: 0 },
    })
    const { api_key } = (await call('/_admin/organizations/neo/api-key', { method: 'POST' })).body
    expect((await call('/v0/courses', { as: api_key })).status).toBe(200)
    const shown = await call('/_admin/organizations/neo')
    expect(shown.body.api_key_last_four).toBe(api_key.slice(-4))
    expect(shown.text).not.toContain(api_key)

    const next = (await call('/_admin/organizations/neo/api-key', { method: 'POST' })).body.api_key
    expect((await call('/v0/courses', { as: api_key })).status).toBe(401)
    expect((await call('/v0/courses', { as: next })).status).toBe(200)

    expect(await call('/_admin/organizations/neo', { method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { slug: 'neo' },
    })
    expect((await call('/v0/courses', { as: next })).status).toBe(401)
    const gone = await call('/_admin/organizations/neo')
    expect(gone.status).toBe(404)
    expect(gone.body.detail).toContain('acme, zenith')
  })

  test('deleting an organization takes everything in it along', async ({ call }) => {
    await call('/_admin/organizations/acme', { method: 'DELETE' })
    expect((await call('/v0/elements', { as: 'at_acme' })).status).toBe(401)
    const { counts } = (await call('/_admin')).body
    expect(counts).toMatchObject({ organizations: 1, users: 3, courses: 1, elements: 1, activities: 0, tokens: 0 })
  })

  test('a slug that is taken: 409; a name that is missing: 400', async ({ call }) => {
    expect((await call('/_admin/organizations', { body: { slug: 'acme', name: 'A' } })).status).toBe(409)
    const { status, body } = await call('/_admin/organizations', { body: { slug: 'no space' } })
    expect(status).toBe(400)
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['slug', 'name'])
  })

  test('a user who is in no organization can be deleted, and is signed in nowhere any more', async ({ call }) => {
    expect((await call('/_admin/users/ada', { method: 'DELETE' })).status).toBe(409)
    await call('/_admin/users', { body: { id: 'neo', email: 'neo@neo.test' } })
    await call('/_admin/sessions', { body: { user: 'neo' } })
    await call('/_admin/silent-auth', { method: 'PUT', body: { outcome: 'server_error', user: 'neo' } })
    expect(await call('/_admin/users/neo', { method: 'DELETE' })).toMatchObject({ status: 200, body: { id: 'neo' } })
    expect((await call('/_admin/users/neo', { method: 'DELETE' })).status).toBe(404)
    expect((await call('/_admin/sessions')).body.data).toEqual([])
    expect((await call('/_admin/silent-auth')).body.data).toEqual([])
  })

  test.for([
    ['bob', 'bob@acme.test is referred to by activities act1, act2, act3 and 1 more.'],
    ['ada', 'ada@acme.test is referred to by activities act2; installations '],
  ] as const)('a user to whom records refer stays: %s', async ([user, detail], { call, emulator: { admin } }) => {
    const activities = ['act3', 'act4'].map((id) => ({ id, member: 'zoe', completed_by: 'bob' }))
    const modules = [{ name: 'M', elements: [{ type: 'SUBMISSION', name: 'Other', activities }] }]
    const globex = { slug: 'globex', members: [{ user: 'zoe' }, { user: 'bob' }], courses: [{ name: 'C', modules }] }
    await call('/_admin/fixtures', { body: { organizations: [globex] } })
    await admin.mintTokens({ app: 'notes', organization: 'acme', user })
    await call(`/_admin/organizations/acme/members/${user}`, { method: 'DELETE' })
    await call('/_admin/organizations/globex/members/bob', { method: 'DELETE' })

    const { status, body } = await call(`/_admin/users/${user}`, { method: 'DELETE' })
    expect([status, body.detail]).toEqual([409, expect.stringContaining(detail)])
    expect(body.detail).toMatch(/\. Delete the elements, apps or organizations that they belong to first$/)
    expect((await call('/v0/activities', { as: 'key_acme' })).body.payload.data).toHaveLength(2)

    for (const slug of ['acme', 'globex']) await admin.deleteOrganization(slug)
    expect((await call(`/_admin/users/${user}`, { method: 'DELETE' })).status).toBe(200)
  })

  test('with a user go the tokens and codes, so that an export loads', async ({ call, emulator: { admin } }) => {
    await admin.createUser({ id: 'eve', email: 'eve@acme.test', organizations: [{ slug: 'acme', role: 'learner' }] })
    await admin.mintTokens({ app: 'notes', organization: 'acme', user: 'eve' })
    const { cookie } = await admin.signIn('eve')
    const request = { client_id: 'app_notes', response_type: 'code', scope: 'openid', state: 's', prompt: 'none' }
    const query = new URLSearchParams({ ...request, redirect_uri: 'http://localhost:3000/callback' })
    const headers = { cookie: `${cookie.name}=${cookie.value}` }
    expect((await call(`/oauth/authorize?${query}`, { headers })).headers.get('location')).toMatch(/\?code=/)
    await admin.deleteMember('acme', 'eve')
    await admin.deleteUser('eve')
    const state = await admin.getState()
    expect(JSON.stringify(state)).not.toContain('"eve"')
    expect((await call('/_admin/state', { method: 'PUT', body: state })).status).toBe(200)
  })

  test('of many names a refusal lists 20', async ({ call, emulator }) => {
    const users = Array.from({ length: 25 }, (_, index) => ({ email: `user${index}@acme.test` }))
    await emulator.admin.addFixtures({ users })
    const { counts } = await emulator.admin.world()
    const { detail } = (await call('/_admin/tokens?user=nobody')).body
    expect(detail).toMatch(
      new RegExp(`^There is no user "nobody"; there are: (\\S+, ){19}\\S+ and ${Number(counts.users) - 20} more$`),
    )
  })

  test('users have the documented shape', async ({ call }) => {
    const { status, body } = await call('/_admin/users', {
      body: {
        email: 'new@acme.test',
        first_name: 'New',
        last_name: 'Comer',
        organizations: [{ slug: 'acme', role: 'lecturer' }],
      },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
      email: 'new@acme.test',
      first_name: 'New',
      last_name: 'Comer',
      full_name: 'New Comer',
      email_verified: false,
      avatar: null,
      last_seen: null,
      organizations: [{ slug: 'acme', role: 'lecturer' }],
    })
    await call('/_admin/users', { body: { email: 'own@acme.test', first_name: 'Own', full_name: 'O. Name' } })
    for (const [email, full_name] of [
      ['new@acme.test', 'New Er'],
      ['own@acme.test', 'O. Name'],
    ]) {
      const changed = await call(`/_admin/users/${email}`, { method: 'PUT', body: { last_name: 'Er' } })
      expect(changed.body.full_name).toBe(full_name)
    }
    expect((await call('/_admin/users', { body: { email: 'new@acme.test' } })).status).toBe(409)
    const bad = await call('/_admin/users', { body: { email: 'new', organizations: [{ slug: 'nope' }] } })
    expect(bad.status).toBe(400)
    expect(bad.body.errors.map(({ path }: { path: string }) => path)).toEqual(['email', 'organizations.0.slug'])
  })

  test('members come, change their role and go', async ({ call }) => {
    const path = '/_admin/organizations/acme/members/zoe@zenith.test'
    const roleOf = async () =>
      (await call('/_admin/organizations/acme')).body.members.find(({ user }: { user: string }) => user === 'zoe')
    expect((await call(path, { method: 'PUT', body: { role: 'admin' } })).body).toEqual({
      user: 'zoe',
      email: 'zoe@zenith.test',
      role: 'admin',
    })
    expect(await roleOf()).toMatchObject({ role: 'admin' })
    await call(path, { method: 'PUT', body: { role: 'learner' } })
    expect(await roleOf()).toMatchObject({ role: 'learner' })
    expect((await call(path, { method: 'PUT', body: { role: 'king' } })).status).toBe(400)
    expect((await call(path, { method: 'DELETE' })).status).toBe(200)
    expect(await roleOf()).toBeUndefined()
    expect((await call(path, { method: 'DELETE' })).status).toBe(404)
    expect((await call('/_admin/organizations/acme/members/ghost', { method: 'DELETE' })).status).toBe(404)
  })
})
