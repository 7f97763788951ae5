import { describe, expect } from 'vitest'
import { callback, landing, silent, test } from '../harness/sign-in-test.js'

const put = (body: unknown) => ({ method: 'PUT', body })
const remove = { method: 'DELETE' }

describe('control-api: sessions', () => {
  test('POST makes a signed-in browser: a cookie whose name holds the port', async ({ call, emulator }) => {
    const { status, body } = await call('/_admin/sessions', { body: { user: 'ada@acme.test' } })
    expect(status).toBe(201)
    expect(body).toEqual({ cookie: { name: expect.any(String), value: expect.any(String) }, user: 'ada' })
    expect(body.cookie.name).toContain(new URL(emulator.url).port)
    const headers = { cookie: `other=1; ${body.cookie.name}=${body.cookie.value}; more=2` }
    expect(landing(await call(silent(), { headers })).query).toHaveProperty('code')
  })

  test('an unknown user is 404, saying who exists; a bad body is 400', async ({ call }) => {
    const unknown = await call('/_admin/sessions', { body: { user: 'nobody' } })
    expect(unknown.status).toBe(404)
    expect(unknown.body.detail).toContain('ada@acme.test')
    expect((await call('/_admin/sessions', { body: { user: 'ada', role: 'owner' } })).status).toBe(400)
    expect((await call('/_admin/sessions', { body: {} })).status).toBe(400)
    expect((await call('/_admin/sessions', { method: 'POST' })).status).toBe(400)
  })

  test('are listed oldest first, and deleted at once', async ({ call, cookie }) => {
    const ada = await cookie('ada')
    await cookie('bob')
    await call('/_admin/sessions/ambient', put({ user: 'zoe' }))
    const { body } = await call('/_admin/sessions')
    expect(body.data.map(({ user, ambient }: { user: string; ambient: boolean }) => [user, ambient])).toEqual([
      ['ada', false],
      ['bob', false],
      ['zoe', true],
    ])
    expect(Object.keys(body.data[0]).sort()).toEqual(['ambient', 'created_at', 'id', 'user'])
    expect((await call('/_admin/sessions', remove)).status).toBe(200)
    expect((await call('/_admin/sessions')).body.data).toEqual([])
    expect(landing(await call(silent(), { headers: { cookie: ada } })).query.error).toBe('login_required')
  })

  test('the ambient user counts for requests without a cookie, and only for those', async ({ call, cookie }) => {
    const bob = await cookie('bob')
    const answer = await call('/_admin/sessions/ambient', put({ user: 'zoe' }))
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ user: 'zoe', ambient: true })
    expect(landing(await call(silent())).query.error).toBe('interaction_required')
    expect(landing(await call(silent(), { headers: { cookie: bob } })).query).toHaveProperty('code')
    await call('/_admin/sessions/ambient', put({ user: 'ada' }))
    expect(landing(await call(silent())).query).toHaveProperty('code')
    const ended = { cookie: `${bob.split('=')[0]}=ended` }
    expect(landing(await call(silent(), { headers: ended })).query.error).toBe('login_required')
    expect((await call('/_admin/sessions/ambient', remove)).body).toMatchObject({ user: 'ada' })
    expect(landing(await call(silent())).query.error).toBe('login_required')
  })

  test('reset ends them', async ({ call, cookie }) => {
    const ada = await cookie('ada')
    await call('/_admin/sessions/ambient', put({ user: 'ada' }))
    await call('/_admin/reset', { method: 'POST' })
    expect(landing(await call(silent(), { headers: { cookie: ada } })).query.error).toBe('login_required')
    expect(landing(await call(silent())).query.error).toBe('login_required')
  })
})

describe('control-api: silent-auth', () => {
  const outcomes = {
    login_required: 'The user is not signed in',
    interaction_required: 'The app is not installed for the user, or the organization cannot be used',
    consent_required: 'The user must consent',
    invalid_scope: 'The requested scopes exceed the manifest',
    server_error: 'The server encountered an unexpected condition',
    temporarily_unavailable: 'The server cannot handle the request at the moment',
  }
  for (const [outcome, error_description] of Object.entries(outcomes)) {
    test(`forces ${outcome} on prompt=none requests, and on no others`, async ({ call, cookie, reason }) => {
      const headers = { cookie: await cookie('ada') }
      const answer = await call('/_admin/silent-auth', put({ outcome }))
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ outcome, app: null, organization: null, user: null, times: null })
      for (const _ of [1, 2]) {
        const forced = await call(silent(), { headers })
        expect(forced.status).toBe(302)
        expect(landing(forced).target).toBe(callback)
        expect(landing(forced).query).toEqual({ error: outcome, error_description, state: 'xyz' })
        expect(await reason()).toBe(`${outcome}: forced by the control API`)
      }
      expect((await call(silent().replace('prompt=none', 'x=y'), { headers })).status).toBe(200)
      expect((await call('/_admin/silent-auth', remove)).body.data).toHaveLength(1)
      expect(landing(await call(silent(), { headers })).query).toHaveProperty('code')
    })
  }

  test('times: for so many requests only', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    await call('/_admin/silent-auth', put({ outcome: 'consent_required', times: 2 }))
    const errors = []
    for (const _ of [1, 2, 3]) errors.push(landing(await call(silent(), { headers })).query.error)
    expect(errors).toEqual(['consent_required', 'consent_required', undefined])
    expect((await call('/_admin/silent-auth')).body.data).toEqual([])
  })

  test('matches by app, organization and user', async ({ call, cookie }) => {
    const [ada, bob] = [await cookie('ada'), await cookie('bob')]
    const duo = { client_id: 'app_duo', redirect_uri: 'https://duo.test/cb', scope: 'openid' }
    await call('/_admin/silent-auth', put({ outcome: 'server_error', app: 'app_duo' }))
    await call('/_admin/silent-auth', put({ outcome: 'consent_required', organization: 'acme', user: 'bob@acme.test' }))
    const error = async (path: string, cookie: string) => landing(await call(path, { headers: { cookie } })).query.error
    expect(await error(silent(duo), ada)).toBe('server_error')
    expect(await error(silent(), ada)).toBeUndefined()
    expect(await error(silent(), bob)).toBe('consent_required')
    expect(await error(silent({ organization: 'globex' }), bob)).toBe('interaction_required')
  })

  test('of several the one that says most about the request counts, then the oldest', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const error = async () => landing(await call(silent(), { headers })).query.error
    await call('/_admin/silent-auth', put({ outcome: 'server_error', times: 1 }))
    await call('/_admin/silent-auth', put({ outcome: 'login_required', app: 'notes', times: 1 }))
    await call('/_admin/silent-auth', put({ outcome: 'invalid_scope', user: 'ada', times: 1 }))
    await call('/_admin/silent-auth', put({ outcome: 'consent_required', app: 'notes', user: 'ada', times: 1 }))
    const errors = [await error(), await error(), await error(), await error(), await error()]
    expect(errors).toEqual(['consent_required', 'login_required', 'invalid_scope', 'server_error', undefined])
  })

  test('a further PUT replaces the one with the same matchers', async ({ call, cookie }) => {
    await call('/_admin/silent-auth', put({ outcome: 'server_error', app: 'notes' }))
    await call('/_admin/silent-auth', put({ outcome: 'login_required', app: 'app_notes', times: 1 }))
    const { body } = await call('/_admin/silent-auth')
    expect(body.data).toHaveLength(1)
    expect(body.data[0]).toMatchObject({ outcome: 'login_required', app: 'notes', times: 1 })
    const headers = { cookie: await cookie('ada') }
    expect(landing(await call(silent(), { headers })).query.error).toBe('login_required')
    expect(landing(await call(silent(), { headers })).query).toHaveProperty('code')
  })

  test('it comes before the scope is refused, and after whatever else is', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    await call('/_admin/silent-auth', put({ outcome: 'consent_required', times: 1 }))
    const error = async (changes: object) => landing(await call(silent({ ...changes }), { headers })).query.error
    expect(await error({ response_type: 'token' })).toBe('unsupported_response_type')
    expect(await error({ scope: 'openid payments' })).toBe('consent_required')
    expect(await error({ scope: 'openid payments' })).toBe('invalid_scope')
  })

  test('what must not redirect does not, nor does a malformed request use it up', async ({ call }) => {
    await call('/_admin/silent-auth', put({ outcome: 'server_error', times: 1 }))
    expect((await call(silent({ redirect_uri: 'https://evil.test' }))).status).toBe(400)
    expect(landing(await call(silent({ state: undefined }))).query.error).toBe('invalid_request')
    expect((await call('/_admin/silent-auth')).body.data[0].times).toBe(1)
  })

  const bad: [name: string, body: unknown, status: number][] = [
    ['no body', undefined, 400],
    ['no outcome', {}, 400],
    ['an unknown outcome', { outcome: 'access_denied' }, 400],
    ['an unknown field', { outcome: 'server_error', client: 'notes' }, 400],
    ['zero times', { outcome: 'server_error', times: 0 }, 400],
    ['an unknown app', { outcome: 'server_error', app: 'nope' }, 404],
    ['an unknown organization', { outcome: 'server_error', organization: 'nope' }, 404],
    ['an unknown user', { outcome: 'server_error', user: 'nope' }, 404],
  ]
  for (const [name, body, status] of bad) {
    test(`${name}: ${status}`, async ({ call }) => {
      const answer = await call('/_admin/silent-auth', { method: 'PUT', body })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
    })
  }
})

describe('control-api: the journal says why', () => {
  const why: [name: string, path: string, user: string | undefined, reason: RegExp][] = [
    ['an undeclared scope', silent({ scope: 'openid payments' }), 'ada', /invalid_scope.*payments/],
    ['a redirect URI', silent({ redirect_uri: `${callback}/` }), 'ada', /character 31.*"\/"/],
    ['nobody signed in', silent(), undefined, /login_required/],
    ['not installed', silent(), 'zoe', /notes is not installed in any organization of .*zoe@zenith\.test/],
    ['not a member', silent({ organization: 'zenith' }), 'ada', /ada@acme\.test is not a member .*zenith/],
    [
      'not in that one',
      silent({ organization: 'globex' }),
      'ada',
      /notes is not installed in the organization globex$/,
    ],
  ]
  for (const [name, path, user, reason] of why) {
    test(`of an authorization request: ${name}`, async ({ call, cookie }) => {
      const headers: Record<string, string> = user === undefined ? {} : { cookie: await cookie(user) }
      await call(path, { headers })
      const entry = (await call('/_admin/requests?surface=oauth')).body.data.at(-1)
      expect(entry.reason).toMatch(reason)
      expect(entry).toMatchObject({ app: 'notes', user: user ?? null, path: '/oauth/authorize' })
    })
  }

  test('of a token request, without a secret anywhere', async ({ call, token, codeFor }) => {
    const code = await codeFor('ada')
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: 'v-secret' }
    await token(exchange)
    await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })
    await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })
    await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme', client_secret: 'wrong_secret' })
    const { body, text } = await call('/_admin/requests?path=/oauth/token')
    expect(body.data.map(({ reason }: { reason: string }) => reason)).toEqual([
      expect.stringContaining('code_verifier'),
      null,
      expect.stringContaining('was used at'),
      expect.stringContaining('client_secret is not the one of app_notes'),
    ])
    expect(body.data[1]).toMatchObject({ app: 'notes', organization: 'acme' })
    for (const secret of [code, 'rt_acme', 'notes_secret', 'wrong_secret', 'v-secret'])
      expect(text).not.toContain(secret)
    const authorizations = await call('/_admin/requests?path=/oauth/authorize')
    expect(authorizations.text).not.toContain(code)
  })
})
