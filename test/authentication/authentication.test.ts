import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

describe('§5.1, §5.2: who may call /v0', () => {
  test('without a credential: 401 with WWW-Authenticate: Bearer', async ({ call }) => {
    const { status, headers, body } = await call('/v0/courses')
    expect(status).toBe(401)
    expect(body).toEqual({ error: 'Unauthorized', payload: null })
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  test.for(['Basic a2V5X2FjbWU6', 'Bearer', 'key_acme', 'Bearer key_acme extra'])(
    'with "%s": 401',
    async (authorization, { call }) => {
      const { status, headers } = await call('/v0/courses', { headers: { authorization } })
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toBe('Bearer')
    },
  )

  test('an unknown credential: 401 that says so', async ({ call }) => {
    const { status, headers } = await call('/v0/courses', { as: 'nobody' })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="The credential is unknown"',
    )
  })

  test('a refresh token is no access token', async ({ call }) => {
    expect((await call('/v0/courses', { as: 'rt_acme' })).status).toBe(401)
  })

  test('the scheme is case-insensitive', async ({ call }) => {
    expect((await call('/v0/courses', { headers: { authorization: 'bearer key_acme' } })).status).toBe(200)
  })

  test('a token that lacks the scope: 403 Insufficient scope', async ({ call }) => {
    const { status, headers, body } = await call('/v0/courses', { as: 'at_acme' })
    expect(status).toBe(403)
    expect(body).toEqual({ error: 'Insufficient scope', payload: null })
    expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="courses:read"')
  })

  test("another organization's data is absent", async ({ call }) => {
    expect((await call('/v0/courses/zcourse', { as: 'key_acme' })).status).toBe(404)
    expect((await call('/v0/courses/zcourse', { as: 'key_zenith' })).status).toBe(200)
  })

  test('route and method are judged before the credential', async ({ call }) => {
    expect((await call('/v0/nothing')).status).toBe(404)
    const method = await call('/v0/courses', { method: 'DELETE' })
    expect(method.status).toBe(405)
    expect(method.headers.get('allow')).toBe('GET, HEAD')
    expect(method.body).toEqual({ error: 'Method not allowed', payload: null })
  })
})

describe('control-api "Journal": a refused credential', () => {
  test.for([
    ['eyJhbGciOiJub25lIn0.bnVsbA.', 'claims that are null'],
    ['eyJhbGciOiJub25lIn0.W10.', 'claims that are a list'],
    ['eyJhbGciOiJub25lIn0', 'a header alone'],
    ['eyJhbGciOiJub25lIn0.e30.x', 'no claims'],
  ])('%s is unknown, as a JWT with %s names nobody', async ([as], { call }) => {
    expect((await call('/v0/courses', { as })).status).toBe(401)
    const [entry] = (await call('/_admin/requests')).body.data
    expect(entry).toMatchObject({ app: null, user: null, reason: expect.stringMatching(/^The credential was never/) })
  })

  test.for([
    ['Bearer', 'the credential is empty'],
    ['Bearer Bearer key_acme', 'it has the word Bearer twice'],
    ['Bearer key_acme extra', 'the credential has a space in it'],
    ['Basic a2V5X2FjbWU6', 'the scheme is Basic'],
    ['Basic', 'the scheme is Basic'],
    ['Bearer [object at_secret]', 'the credential has a space in it'],
    ['Token key_acme', 'the scheme is Token'],
    ['Not-Bearer key_acme', ''],
    ['key_acme', 'it has no scheme'],
  ])('the header "%s" is no bearer credential: %s', async ([authorization = '', cause], { call }) => {
    expect((await call('/v0/courses', { headers: { authorization } })).status).toBe(401)
    const [{ reason }] = (await call('/_admin/requests')).body.data
    expect(reason).toBe(`The Authorization header is not "Bearer <credential>"${cause && `: ${cause}`}`)
  })

  test.for([
    ['undefined', 'is the text "undefined": the variable that it is read from has no value'],
    ['"key_acme"', 'is in quotes: send it without them'],
    ...['$PLATFORM_API_KEY', '<API_KEY>', '{{api_key}}'].map((text) => [
      text,
      'is a variable or placeholder that was not replaced by its value',
    ]),
    ['{"access_token":"at_acme"}', 'is JSON: send one of its values'],
    ["b'key_acme'", 'is a bytes object of Python as text: decode it first'],
    ['app_notes', 'is the client_id of an app'],
    ['notes', 'is the id of an app whose client_id is app_notes'],
  ] as [string, string][])('the credential %s %s', async ([as, cause], { call }) => {
    const { headers } = await call('/v0/courses', { as })
    expect(headers.get('www-authenticate')).toContain('The credential is unknown')
    expect((await call('/_admin/requests')).body.data).toMatchObject([{ reason: `The credential ${cause}` }])
  })

  test.for([
    ['Bearer [object Promise]', 'is the text "[object Promise]": an object was used as text, or an await is missing'],
    ['Bearer <YOUR API KEY>', 'is a variable or placeholder that was not replaced by its value'],
    ['undefined', 'is the text "undefined": the variable that it is read from has no value'],
  ])('the credential of the header "%s" %s', async ([authorization = '', cause], { call }) => {
    await call('/v0/courses', { headers: { authorization } })
    expect((await call('/_admin/requests')).body.data).toMatchObject([{ reason: `The credential ${cause}` }])
  })

  test('a credential of the world before a reset', async ({ call }) => {
    const minted = (await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme' } })).body
    const { api_key } = (await call('/_admin/organizations/acme/api-key', { method: 'POST' })).body
    await call('/_admin/reset', { method: 'POST' })
    for (const as of [minted.access_token, minted.refresh_token, api_key]) await call('/v0/courses', { as })
    const lost = 'the world was reset or restarted, it was deleted since, or another emulator issued it'
    const form = (name: string) => `The credential has the form of ${name}, but this world does not have it:`
    expect((await call('/_admin/requests')).body.data).toMatchObject([
      { reason: `${form('an access token')} ${lost}. Install the app or sign in again` },
      { reason: `${form('a refresh token')} ${lost}. Install the app or sign in again` },
      { reason: `${form('an API key')} it was regenerated, or ${lost}` },
    ])
  })

  test('a scope that is missing: how the token gets it', async ({ call, emulator }) => {
    const webhook = { url: 'http://localhost:3000/webhook' }
    const push = (version: string, permissions: string[]) =>
      call('/_admin/apps/notes/manifest', {
        method: 'PUT',
        body: { id: 'notes', name: 'Notes', version, permissions, oauth: { install: true }, webhook },
      })
    const advice = async (as = 'at_acme') => {
      expect((await call('/v0/courses', { as })).status).toBe(403)
      const { reason } = (await call('/_admin/requests')).body.data.at(-1)
      return reason.replace('The token lacks the scope courses:read; it has: elements:read. ', '')
    }
    const permissions = ['elements:read', 'courses:read']
    expect(await advice()).toBe("Add courses:read to the manifest's permissions in a new version, push it and upgrade")
    await push('0.9.0', permissions)
    expect(await advice()).toBe(
      'Version 0.9.0, which was pushed last, has it, but is lower than 1.0.0: raise it, push it and upgrade',
    )
    await push('1.0.0', permissions)
    expect(await advice()).toBe(
      'The manifest has it now, but the installation is older: raise the version, push it and upgrade',
    )
    await push('1.1.0', permissions)
    expect(await advice()).toBe(
      `Version 1.1.0 has it, but acme has version 1.0.0: mockademy upgrade notes acme --url ${emulator.url}`,
    )
    const [{ id }] = (await call('/_admin/installations?app=notes')).body.data
    await call(`/_admin/installations/${id}/upgrade`, { body: {} })
    const minted = await call('/_admin/tokens', {
      body: { app: 'notes', organization: 'acme', scope: 'elements:read' },
    })
    expect(await advice(minted.body.access_token)).toBe('The installation has it: use a token with its whole scope')
  })

  test("a user's token: whose it is, and that no scope would help", async ({ call }) => {
    const { access_token } = (
      await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme', user: 'ada' } })
    ).body
    const { status, headers } = await call('/v0/elements', { as: access_token })
    expect([status, headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="elements:read"',
    ])
    expect((await call('/_admin/requests')).body.data).toMatchObject([
      {
        app: 'notes',
        organization: 'acme',
        user: 'ada',
        reason: 'A user token was sent; user tokens cannot reach the public API',
      },
    ])
  })

  test('a token that was revoked says so, also when it would have expired since', async ({ call }) => {
    await call('/_admin/tokens/revoke', { body: { token: 'at_acme' } })
    await call('/_admin/clock/advance', { body: { by: '2h' } })
    const { status, headers } = await call('/v0/elements', { as: 'at_acme' })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('The access token is revoked')
  })

  test('an install token: the scope that it lacks, or that none suffices', async ({ call }) => {
    await call('/v0/courses', { as: 'at_acme' })
    await call('/v0/elements', { as: 'at_acme', body: { module: 'module1', type: 'CONTENT' } })
    const reasons = (await call('/_admin/requests')).body.data.map(({ reason }: { reason: string }) => reason)
    expect(reasons).toEqual([
      "The token lacks the scope courses:read; it has: elements:read. Add courses:read to the manifest's permissions in a new version, push it and upgrade",
      'Install tokens cannot do this; use an API key',
    ])
  })
})

describe('wire §2 "rate limit"', () => {
  test('is off unless set', async ({ call }) => {
    expect((await call('/v0/courses', { as: 'key_acme' })).headers.get('x-ratelimit-limit')).toBeNull()
  })

  describe('with rate_limit', () => {
    test.override({ settings: { rateLimit: 2 } })

    test('counts requests a minute for each credential, on every response', async ({ call }) => {
      const seen = []
      for (const as of ['key_acme', 'key_acme', 'key_acme', 'key_zenith', 'key_acme', 'key_zenith']) {
        const { status, headers } = await call('/v0/courses', { as })
        seen.push([
          status,
          headers.get('x-ratelimit-limit'),
          headers.get('x-ratelimit-remaining'),
          headers.get('retry-after'),
        ])
      }
      expect(seen).toEqual([
        [200, '2', '1', null],
        [200, '2', '0', null],
        [429, '2', '0', '60'],
        [200, '2', '1', null],
        [429, '2', '0', '60'],
        [200, '2', '0', null],
      ])
      expect((await call('/v0/courses')).headers.get('x-ratelimit-remaining')).toBe('1')
    })

    test('a reset begins new minutes, also while the clock is stopped', async ({ call }) => {
      for (const status of [200, 200, 429]) expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(status)
      await call('/_admin/reset', { method: 'POST' })
      expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
    })

    test('a credential is the same one however its header is written', async ({ call }) => {
      for (const [scheme, remaining] of [
        ['Bearer', '1'],
        ['bearer', '0'],
        ['BEARER ', '0'],
      ]) {
        const { headers } = await call('/v0/courses', { headers: { authorization: `${scheme} key_acme` } })
        expect(headers.get('x-ratelimit-remaining')).toBe(remaining)
      }
    })

    test('says so, and is over with the minute', async ({ call }) => {
      await call('/v0/courses', { as: 'key_acme' })
      await call('/_admin/clock/advance', { body: { by: '20.1s' } })
      await call('/v0/courses', { as: 'key_acme' })
      const refused = await call('/v0/courses', { as: 'key_acme' })
      expect(refused.body).toEqual({ error: 'Rate limit exceeded. Please try again later.', payload: null })
      expect(refused.headers.get('retry-after')).toBe('40')
      const reason = async () => (await call('/_admin/requests?status=429&limit=1')).body.data[0].reason
      const counted = 'The credential made 3 requests in its minute; rate_limit is 2'
      expect(await reason()).toBe(`${counted}; the clock is stopped, so the minute ends only when it is advanced`)
      await call('/_admin/clock/advance', { body: { by: '40s' } })
      expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
      await call('/_admin/clock/resume', { method: 'POST' })
      for (const _ of [1, 2]) await call('/v0/courses', { as: 'key_acme' })
      expect(await reason()).toBe(counted)
    })

    test('a clock that goes back begins a new minute', async ({ call }) => {
      for (const _ of [1, 2, 3]) await call('/v0/courses', { as: 'key_acme' })
      await call('/_admin/clock/freeze', { body: { at: '2025-01-01T00:00:00Z' } })
      const statuses = []
      for (const _ of [1, 2, 3]) statuses.push((await call('/v0/courses', { as: 'key_acme' })).status)
      expect(statuses).toEqual([200, 200, 429])
      await call('/_admin/clock/advance', { body: { by: '1m' } })
      expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
    })
  })
})
