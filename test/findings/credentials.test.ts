import { describe, expect } from 'vitest'
import { test as base, silent } from '../harness/sign-in-test.js'
import { test as webhookBase } from '../harness/webhook-test.js'
import { expectOne, withFindings } from './findings-test.js'

const test = withFindings(base)
const webhookTest = withFindings(webhookBase)
const error = { level: 'error', app: 'notes', organization: 'acme' }
const callback = 'http://localhost:3000/callback'

describe('wrong_kind_of_token', () => {
  test('is found for a refresh token on /v0', async ({ call, found, newest }) => {
    await call('/v0/elements', { as: 'rt_acme' })
    const entries = [await newest()]
    const says = /A refresh token was sent to GET \/v0\/elements/
    expectOne(await found(), { ...error, rule: 'wrong_kind_of_token', section: 'spec: §5.3', count: 1, entries, says })
  })

  test('is found for a code, a user’s token and an id_token on /v0, and names the app', async ({
    call,
    found,
    codeFor,
    token,
  }) => {
    const reason = async () => (await call('/_admin/requests?surface=api')).body.data.at(-1).reason
    const code = await codeFor('ada', { state: 'a'.repeat(40) })
    await call('/v0/elements', { as: code })
    expectOne(await found('wrong_kind_of_token'), { ...error, count: 1, says: /An authorization code was sent/ })
    expect(await reason()).toBe('An authorization code was sent where an access token is needed')
    const { body } = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
    await call('/v0/elements', { as: body.access_token })
    expect((await found('wrong_kind_of_token')).map(({ message }) => message).join()).toMatch(
      /A user's access token was/,
    )
    await call('/v0/elements', { as: body.id_token })
    expect(await reason()).toBe('An id_token was sent where an access token is needed')
    const [entry] = (await call('/_admin/requests?surface=api&limit=1')).body.data
    expect(entry).toMatchObject({ status: 401, app: 'notes', organization: null, user: 'ada' })
    expect((await found('wrong_kind_of_token')).map(({ app }) => app)).toEqual(['notes'])
    expect((await found('wrong_kind_of_token')).map(({ message }) => message).join()).toMatch(/An id_token was sent/)
  })

  test.for(['refresh_token', 'authorization_code'])(
    'is found for an access token as %s',
    async (grant_type, { token, found }) => {
      const name = grant_type === 'refresh_token' ? 'refresh_token' : 'code'
      await token({ grant_type, [name]: 'at_acme', redirect_uri: callback })
      expectOne(await found('wrong_kind_of_token'), {
        level: 'error',
        count: 1,
        says: /An access token was sent to the token/,
      })
    },
  )

  test.for([
    ['notes_secret', 'A client secret'],
    ['notes_signing', 'A signing secret'],
  ] as const)('is found for %s as a bearer credential', async ([as, what], { call, found }) => {
    const { status, headers } = await call('/v0/elements', { as })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('is unknown')
    const [entry] = (await call('/_admin/requests?surface=api&limit=1')).body.data
    expect(entry).toMatchObject({ app: 'notes', reason: `${what} was sent where an access token is needed` })
    const says = new RegExp(`^${what} was sent to GET /v0/elements`)
    expectOne(await found('wrong_kind_of_token'), { level: 'error', count: 1, says })
  })

  test('is not found for keys, install tokens, unknown credentials and JWTs of others', async ({ call, found }) => {
    const foreign = ['{"alg":"RS256"}', '{"iss":"https://other.test"}', 'x'].map((part) =>
      Buffer.from(part).toString('base64url'),
    )
    for (const as of ['key_acme', 'at_acme', 'at_nobody', foreign.join('.'), 'eyJhb.%%.x', 'eyJhb.eyJ.x']) {
      await call('/v0/elements', { as })
    }
    expect(await found('wrong_kind_of_token')).toEqual([])
  })
})

describe('token_in_url', () => {
  test.for([
    ['access_token=at_sync_long', 'A token'],
    ['key=key_acme', 'An API key'],
    ['secret=notes_secret', 'A client secret'],
    ['s=notes_signing', 'A signing secret'],
  ] as const)('is found for %s', async ([query, what], { call, found, newest }) => {
    await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme' } }).then(async ({ body }) => {
      await call(`/v0/elements?${query.replace('at_sync_long', body.access_token)}`, { as: 'at_acme' })
    })
    const entries = [await newest()]
    const says = new RegExp(`${what} was sent in the URL of GET /v0/elements`)
    expectOne(await found('token_in_url'), { ...error, section: 'spec: §5.2.7', count: 1, entries, says })
  })

  test('is found for a code, at the token endpoint', async ({ call, found, codeFor }) => {
    await call(`/oauth/token?code=${await codeFor('ada')}`, {
      method: 'POST',
      form: { grant_type: 'authorization_code' },
    })
    expectOne(await found('token_in_url'), {
      level: 'error',
      count: 1,
      says: /An authorization code was sent in the URL/,
    })
  })

  test.for([
    ['a bearer credential', 'authorization=Bearer%20key_acme', 'An API key'],
    ['an escaped one', `token=${encodeURIComponent(encodeURIComponent('x y&key=key_acme'))}`, 'An API key'],
    ['a nested URL', `next=${encodeURIComponent('https://x.test/?t=at_acme&y=1')}`, 'A token'],
  ] as const)('is found within another value: %s', async ([, query, what], { call, found }) => {
    await call(`/v0/elements?${query}`, { as: 'at_acme' })
    expectOne(await found('token_in_url'), {
      level: 'error',
      count: 1,
      says: new RegExp(`${what} was sent in the URL`),
    })
  })

  test.for([
    '/v0/elements/rt_acme',
    '/nowhere/at_acme/x',
    '/nowhere?x=notes_secret',
    '/login?return_to=%2F%3Fk%3Dkey_acme',
    `/oauth/authorize?client_id=app_notes&redirect_uri=${encodeURIComponent(`${callback}?token=at_acme`)}`,
    '/.well-known/jwks.json?key=key_acme',
    '/_inbox/app?token=key_acme',
  ])('is found on any path: %s', async (path, { call, found }) => {
    await call(path)
    expectOne(await found('token_in_url'), { level: 'error', count: 1, says: /was sent in the URL of GET \// })
  })

  test.for([
    ['at_acme', 'notes', 'acme'],
    ['notes_signing', 'notes', null],
    ['sync_secret', 'sync', null],
    ['key_acme', null, 'acme'],
  ] as const)('names whom %s belongs to where the request does not', async ([secret, app, organization], { call }) => {
    await call(`/nowhere?x=${secret}`)
    const { data } = (await call(`/_admin/findings${app ? `?app=${app}` : ''}`)).body
    expect(data).toMatchObject([{ rule: 'token_in_url', app, organization, count: 1 }])
  })

  test('names the app that sent the request before the one whose secret it is', async ({ call, found }) => {
    await call('/v0/elements?x=sync_secret', { as: 'at_acme' })
    expect(await found('token_in_url')).toMatchObject([{ app: 'notes', organization: 'acme' }])
  })

  test('is found for the cookie of a session', async ({ call, found }) => {
    const { body } = await call('/_admin/sessions', { body: { user: 'ada' } })
    await call(`/nowhere?x=${body.cookie.value}`)
    expectOne(await found('token_in_url'), { level: 'error', count: 1, says: /^A session cookie was sent in the URL/ })
  })

  describe('with an admin token', () => {
    test.override({ settings: { adminToken: 'token_of_admin' } })

    test('is found for that', async ({ call }) => {
      await call('/nowhere?x=token_of_admin')
      const { data } = (await call('/_admin/findings', { as: 'token_of_admin' })).body
      expectOne(data, { rule: 'token_in_url', count: 1, says: /^The admin token was sent in the URL/ })
    })
  })

  test('is found in the address of the page that a request came from', async ({ call, found }) => {
    const referer = (query: string) => ({ headers: { referer: `${callback}?${query}` } })
    await call('/.well-known/jwks.json', referer('code=notes_secret&state=at_acme'))
    expect(await found('token_in_url')).toEqual([])
    await call('/.well-known/jwks.json', referer('access_token=at_acme'))
    expectOne(await found('token_in_url'), { count: 1, says: /A token was in the URL of a page, which the Referer/ })
  })

  test('is not found at the callback, on pages and for what is no secret', async ({ call, found, codeFor }) => {
    const code = await codeFor('ada')
    // The callback of an earlier version may still be in use.
    const [{ manifest }] = (await call('/_admin/apps/notes')).body.versions
    const oauth = { ...manifest.oauth, authorize: { redirect_uris: ['http://localhost:3000/other'] } }
    await call('/_admin/apps/notes/manifest', { method: 'PUT', body: { ...manifest, version: '9.0.0', oauth } })
    for (const path of ['/callback', '/other']) await call(`${path}?code=${code}&state=notes_signing`)
    await call('/v0/elements?page=not-a-secret-at-all&member=ada', { as: 'at_acme' })
    await call(silent({ organization: 'acme' }))
    expect(await found('token_in_url')).toEqual([])
  })
})

describe('call_after_uninstall', () => {
  const installed = async (
    install: () => Promise<{ body: { installation: { id: string }; credentials: Record<string, string> } }>,
  ) => {
    const { installation, credentials } = (await install()).body
    return { id: installation.id, at: credentials.access_token as string, rt: credentials.refresh_token as string }
  }

  webhookTest(
    'is found 5 s after the uninstall was acknowledged, and such a request counts for nothing else',
    async ({ install, uninstall, call, refresh, found, newest, later, pass }) => {
      const { id, at, rt } = await installed(install)
      await uninstall(id)
      await call('/v0/elements', { as: at })
      for (let request = 0; request < 6; request++) {
        await refresh(rt)
        pass(2_500)
      }
      await later('5s')
      await call('/v0/modules', { as: at })
      expect(await found('call_after_uninstall')).toEqual([])
      await later('1s')
      const entries: number[] = []
      for (let request = 0; request < 3; request++) {
        await call('/v0/elements', { as: at })
        entries.push(await newest())
        pass(2_000)
      }
      await refresh(rt)
      entries.push(await newest())
      const says = /POST \/oauth\/token was sent with a token of acme, which has uninstalled the app/
      expectOne(await found(), { ...error, rule: 'call_after_uninstall', section: 'spec: §3', count: 4, entries, says })
    },
  )

  webhookTest(
    'is not found while the app could not hear of it, which the first 401 lets it',
    async ({ install, uninstall, call, found, later, fault, app, inject }) => {
      const { id, at } = await installed(install)
      app.answers(500)
      await fault('lose_ack')
      await uninstall(id)
      await later('9s')
      // An injected failure says nothing of the end.
      await inject({ surface: 'api' }, 'unavailable')
      expect((await call('/v0/elements', { as: at })).status).toBe(503)
      await inject({ surface: 'api' }, 'token_expired')
      expect((await call('/v0/elements', { as: at })).status).toBe(401)
      // Nor does a path that is not there.
      await call('/v0/nowhere', { as: at })
      await call('/v0/elements', { as: at })
      expect(await found('call_after_uninstall')).toEqual([])
      await call('/v0/elements', { as: at })
      expect(await found('call_after_uninstall')).toMatchObject([{ level: 'error', count: 1 }])
    },
  )

  webhookTest(
    'is not found for the token of an upgraded installation',
    async ({ install, upgrade, push, call, found, later }) => {
      const { id, at } = await installed(install)
      await push({ version: '2.0.0' })
      expect((await upgrade(id)).status).toBe(201)
      await later('1m')
      expect((await call('/v0/elements', { as: at })).status).toBe(401)
      expect(await found()).toEqual([])
    },
  )

  test('is found without a webhook, 5 s after the end', async ({ call, found, later }) => {
    const { body } = await call('/_admin/tokens', { body: { app: 'duo', organization: 'acme', user: 'ada' } })
    const form = {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      client_id: 'app_duo',
      client_secret: 'duo_secret',
    }
    const [{ id }] = (await call('/_admin/installations?app=duo')).body.data
    await call(`/_admin/installations/${id}`, { method: 'DELETE' })
    await later('4s')
    await call('/oauth/token', { form })
    expect(await found('call_after_uninstall')).toEqual([])
    await later('2s')
    await call('/oauth/token', { form })
    expectOne(await found('call_after_uninstall'), { level: 'error', app: 'duo', count: 1, says: /token of acme/ })
  })
})
