import { describe, expect } from 'vitest'
import { callback, test } from '../harness/sign-in-test.js'

interface Token {
  id: string
  kind: string
  app: string
  state: string
}

describe('control-api: GET /_admin/tokens', () => {
  test('lists tokens oldest first, their last four characters only', async ({ call }) => {
    const { body, text } = await call('/_admin/tokens?app=notes')
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        kind: 'access',
        grant: 'install',
        app: 'notes',
        organization: 'acme',
        installation: expect.any(String),
        user: null,
        scope: 'elements:read',
        state: 'active',
        issued_at: '2026-01-01T00:00:00.000Z',
        expires_at: '2026-01-01T01:00:00.000Z',
        last_four: 'acme',
      },
      expect.objectContaining({ kind: 'refresh', expires_at: '2026-01-31T00:00:00.000Z' }),
    ])
    expect(text).not.toContain('at_acme')
  })

  test('every filter', async ({ call, codeFor, token }) => {
    const code = await codeFor('ada')
    await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
    await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })
    const count = async (query: string) => (await call(`/_admin/tokens?${query}`)).body.data.length
    const installation = (await call('/_admin/installations?app=sync')).body.data[0].id
    expect(await count('kind=access')).toBe(4)
    expect(await count('kind=refresh')).toBe(4)
    expect(await count('grant=authorize')).toBe(2)
    expect(await count('grant=install')).toBe(6)
    expect(await count(`installation=${installation}`)).toBe(2)
    expect(await count('organization=acme')).toBe(8)
    expect(await count('organization=zenith')).toBe(0)
    expect(await count('user=ada')).toBe(2)
    expect(await count('user=ada@acme.test')).toBe(2)
    expect(await count('app=app_sync')).toBe(2)
    expect(await count('state=rotated')).toBe(1)
    expect(await count('state=active&kind=refresh&app=notes')).toBe(2)
    await call('/_admin/clock/advance', { body: { by: '1h' } })
    expect(await count('state=expired')).toBe(4)
  })

  for (const query of ['kind=both', 'state=dead', 'client=notes']) {
    test(`${query}: 400`, async ({ call }) => {
      expect((await call(`/_admin/tokens?${query}`)).status).toBe(400)
    })
  }
  for (const query of ['app=nope', 'organization=nope', 'user=nope', 'installation=nope']) {
    test(`${query}: 404`, async ({ call }) => {
      expect((await call(`/_admin/tokens?${query}`)).status).toBe(404)
    })
  }
})

describe('control-api: POST /_admin/tokens/expire and /revoke', () => {
  test('expire by filter: the access token is refused as expired, the refresh token works', async ({
    call,
    token,
    reason,
  }) => {
    const { body } = await call('/_admin/tokens/expire', { body: { app: 'notes' } })
    expect(body).toEqual({ affected: 1, access: 1, refresh: 0 })
    const refused = await call('/v0/elements', { as: 'at_acme' })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain('expired')
    expect(await reason()).toBe('The access token expired at 2026-01-01T00:00:00.000Z: by the control API')
    expect((await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })).status).toBe(200)
  })

  test('revoke by secret: exactly that one', async ({ call, token }) => {
    expect((await call('/_admin/tokens/revoke', { body: { token: 'rt_acme' } })).body).toEqual({
      affected: 1,
      access: 0,
      refresh: 1,
    })
    expect((await call('/_admin/tokens/revoke', { body: { token: 'rt_acme' } })).body).toMatchObject({ affected: 0 })
    const refused = await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })
    expect(refused.body.error).toBe('invalid_grant')
    expect((await call('/v0/elements', { as: 'at_acme' })).status).not.toBe(401)
    await call('/_admin/tokens/revoke', { body: { token: 'at_acme' } })
    const revoked = await call('/v0/elements', { as: 'at_acme' })
    expect(revoked.headers.get('www-authenticate')).toContain('revoked')
  })

  const ends: [path: string, body: object, counts: object, states: Record<string, string>][] = [
    ['expire', { all: true }, { affected: 2, access: 2, refresh: 0 }, { access: 'expired', refresh: 'active' }],
    ['expire', { kind: 'refresh' }, { affected: 2, access: 0, refresh: 2 }, { access: 'active', refresh: 'expired' }],
    ['expire', { kind: 'all' }, { affected: 4, access: 2, refresh: 2 }, { access: 'expired', refresh: 'expired' }],
    [
      'expire',
      { all: true, kind: 'all' },
      { affected: 4, access: 2, refresh: 2 },
      { access: 'expired', refresh: 'expired' },
    ],
    ['revoke', { all: true }, { affected: 4, access: 2, refresh: 2 }, { access: 'revoked', refresh: 'revoked' }],
    ['revoke', { kind: 'access' }, { affected: 2, access: 2, refresh: 0 }, { access: 'revoked', refresh: 'active' }],
  ]
  test.for(ends)('%s with %o: %o', async ([path, body, counts, states], { call }) => {
    expect((await call(`/_admin/tokens/${path}`, { body })).body).toEqual(counts)
    for (const { kind, state } of (await call('/_admin/tokens')).body.data) expect(state).toBe(states[kind])
  })

  test('what has ended does not end again', async ({ call }) => {
    const tokens = async () => (await call('/_admin/tokens?app=notes')).body.data
    await call('/_admin/tokens/revoke', { body: { token: 'rt_acme' } })
    await call('/_admin/clock/advance', { body: { by: '1h' } })
    const before = await tokens()
    const none = { affected: 0, access: 0, refresh: 0 }
    for (const kind of ['access', 'refresh']) {
      expect((await call('/_admin/tokens/expire', { body: { app: 'notes', kind } })).body).toEqual(none)
    }
    expect((await call('/_admin/tokens/revoke', { body: { token: 'rt_acme' } })).body).toEqual(none)
    expect(await tokens()).toEqual(before)
  })

  test('a refresh token that is named expires without a kind', async ({ call, token }) => {
    const { body } = await call('/_admin/tokens/expire', { body: { token: 'rt_acme' } })
    expect(body).toEqual({ affected: 1, access: 0, refresh: 1 })
    expect((await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })).body.error).toBe('invalid_grant')
  })

  const bad: [name: string, body: unknown, status: number][] = [
    ['an empty object', {}, 400],
    ['no body', undefined, 400],
    ['all: false', { all: false }, 400],
    ['a typo', { aplication: 'notes' }, 400],
    ['a secret and a filter', { token: 'at_acme', app: 'notes' }, 400],
    ['all and a filter', { all: true, app: 'notes' }, 400],
    ['an unknown secret', { token: 'nope' }, 404],
    ['an unknown app', { app: 'nope' }, 404],
  ]
  for (const [name, body, status] of bad) {
    test(`${name}: ${status}, and nothing changes`, async ({ call }) => {
      for (const path of ['/_admin/tokens/expire', '/_admin/tokens/revoke']) {
        const answer = await call(path, { method: 'POST', body })
        expect(answer.status).toBe(status)
        expect(answer.headers.get('content-type')).toBe('application/problem+json')
        expect(answer.text).not.toContain('at_acme')
      }
      expect((await call('/_admin/tokens?state=active')).body.data).toHaveLength(4)
    })
  }
})

describe('control-api: POST /_admin/tokens', () => {
  test('mints an install token pair', async ({ call, token }) => {
    const { status, body } = await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme' } })
    expect(status).toBe(201)
    expect(body).toEqual({
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      scope: 'elements:read',
    })
    expect((await call('/v0/courses', { as: body.access_token })).status).toBe(403)
    expect((await token({ grant_type: 'refresh_token', refresh_token: body.refresh_token })).status).toBe(200)
  })

  test('rounds the lifetime down: an app must not count on more', async ({ call }) => {
    const { body } = await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme', ttl: '1999ms' } })
    expect(body.expires_in).toBe(1)
  })

  test("mints a user's, with scope and ttl", async ({ call }) => {
    const request = {
      app: 'app_notes',
      organization: 'acme',
      user: 'bob@acme.test',
      scope: 'openid  email openid',
      ttl: '90s',
    }
    const { body } = await call('/_admin/tokens', { body: request })
    expect(body).toMatchObject({ scope: 'openid email', expires_in: 90 })
    const { data } = (await call('/_admin/tokens?user=bob')).body
    expect(data.map(({ kind }: Token) => kind)).toEqual(['access', 'refresh'])
    expect(data[0]).toMatchObject({ grant: 'authorize', user: 'bob', expires_at: '2026-01-01T00:01:30.000Z' })
    expect((await call('/v0/elements', { as: body.access_token })).status).toBe(403)
  })

  test('a narrower install token', async ({ call }) => {
    const request = { app: 'sync', organization: 'acme', scope: 'courses:read' }
    const { body } = await call('/_admin/tokens', { body: request })
    expect(body.scope).toBe('courses:read')
    expect((await call('/v0/courses', { as: body.access_token })).status).toBe(200)
    expect((await call('/v0/elements', { as: body.access_token })).status).toBe(403)
  })

  const bad: [name: string, body: Record<string, unknown>, status: number][] = [
    ['an app that is not installed there', { app: 'notes', organization: 'globex' }, 409],
    ['an unknown app', { app: 'nope', organization: 'acme' }, 404],
    ['an unknown organization', { app: 'notes', organization: 'nope' }, 404],
    ['an unknown user', { app: 'notes', organization: 'acme', user: 'nope' }, 404],
    ['a user of another organization', { app: 'notes', organization: 'acme', user: 'zoe' }, 400],
    ['a scope that is not declared', { app: 'notes', organization: 'acme', scope: 'courses:read' }, 400],
    ['an identity scope for an install token', { app: 'notes', organization: 'acme', scope: 'openid' }, 400],
    [
      'an install scope for a user token',
      { app: 'notes', organization: 'acme', user: 'ada', scope: 'elements:read' },
      400,
    ],
    ['an empty scope', { app: 'notes', organization: 'acme', scope: '' }, 400],
    ['a bad ttl', { app: 'notes', organization: 'acme', ttl: 'soon' }, 400],
    ['an app without oauth.install', { app: 'duo', organization: 'acme' }, 400],
    ['no organization', { app: 'notes' }, 400],
    ['an unknown field', { app: 'notes', organization: 'acme', scopes: 'x' }, 400],
  ]
  for (const [name, body, status] of bad) {
    test(`${name}: ${status}`, async ({ call }) => {
      const answer = await call('/_admin/tokens', { body })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
    })
  }
})
