import { describe, expect } from 'vitest'
import { authorizePath, test as base, callback, formOf, silent } from '../harness/sign-in-test.js'
import { expectOne, withFindings } from './findings-test.js'

const test = withFindings(base)
const STRONG = 'kQ7_x2LmN0pRstUvWxYzAb'
const other = (end: string) => STRONG.slice(0, -1) + end
const careful = {
  state: STRONG,
  nonce: 'n-0S6_WzA2Mj',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}
const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const redeem = (code: string) => ({ grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier })

describe('a careful sign-in', () => {
  test('causes no findings, silent first and interactive afterwards', async ({
    call,
    token,
    codeFor,
    found,
    later,
  }) => {
    // spec: §5.4.5 has the same URL again without prompt=none.
    expect((await call(silent(careful))).headers.get('location')).toMatch(/login_required/)
    await call(authorizePath(careful))
    expect((await token(redeem(await codeFor('ada', careful)))).status).toBe(200)
    await later('1h')
    expect(await found()).toEqual([])
  })

  test('causes none when the answer to the exchange is lost and the code is tried again', async ({
    token,
    codeFor,
    inject,
    found,
  }) => {
    const code = await codeFor('ada', careful)
    await inject({ surface: 'oauth', path: '/oauth/token' }, { connection: 'reset' }, { phase: 'after' })
    await token(redeem(code)).catch(() => undefined)
    expect((await token(redeem(code))).status).toBe(400)
    expect((await token(redeem(code))).status).toBe(400)
    expect(await found()).toEqual([])
  })
})

describe('code_reuse', () => {
  test('is found when a code is redeemed again', async ({ token, codeFor, found, newest }) => {
    const code = await codeFor('ada', careful)
    await token(redeem(code))
    expect(await found()).toEqual([])
    expect((await token(redeem(code))).status).toBe(400)
    const entries = [await newest()]
    const says = /had already been redeemed\. .*Redeem the code in one place/
    const section = 'RFC 6749 §4.1.2'
    expectOne(await found(), {
      rule: 'code_reuse',
      level: 'error',
      section,
      app: 'notes',
      organization: 'acme',
      count: 1,
      entries,
      says,
    })
  })

  test('is not found for an attempt that failed for another reason', async ({ token, codeFor, found, inject }) => {
    const code = await codeFor('ada', careful)
    await inject({ surface: 'oauth', path: '/oauth/token' }, { status: 503 })
    expect((await token(redeem(code))).status).toBe(503)
    expect((await token({ ...redeem(code), client_secret: 'wrong' })).status).toBe(401)
    expect((await token(redeem(code))).status).toBe(200)
    expect(await found()).toEqual([])
  })
})

describe('state_reuse', () => {
  test('is found when a second request gets a code with the same state', async ({ codeFor, found, newest, call }) => {
    await codeFor('ada', careful)
    const first = await newest()
    await codeFor('bob', { ...careful, nonce: 'another' })
    expect((await call('/_admin/requests')).body.data.at(-1).path).toBe('/oauth/authorize')
    const entries = [await newest()]
    const says = new RegExp(
      `The state had already been used in request ${first}, which returned a code\\..*Generate a new one`,
    )
    expectOne(await found('state_reuse'), {
      level: 'error',
      section: 'spec: §5.4.1',
      app: 'notes',
      count: 1,
      entries,
      says,
    })
  })

  test('is not found when the consent page is loaded again, before and after consent', async ({
    call,
    cookie,
    found,
  }) => {
    const headers = { cookie: await cookie('ada') }
    const path = authorizePath({ ...careful, organization: 'acme' })
    await call(path, { headers })
    const { action, fields } = formOf((await call(path, { headers })).text)
    const consent = await call(action, { form: { ...fields, decision: 'allow' }, headers })
    expect(consent.headers.get('location')).toMatch(/code=/)
    expect((await call(path, { headers })).status).toBe(200)
    expect(await found('state_reuse')).toEqual([])
  })

  test('is found when one address brings two codes and the app redeems both, but not before', async ({
    call,
    codeFor,
    token,
    found,
  }) => {
    const codes = [await codeFor('ada', careful), await codeFor('ada', careful)]
    const [first, second] = (await call('/_admin/requests?path=/oauth/authorize')).body.data
    expect((await token(redeem(codes[1] as string))).status).toBe(200)
    expect(await found('state_reuse')).toEqual([])
    expect((await token(redeem(codes[0] as string))).status).toBe(200)
    expectOne(await found('state_reuse'), {
      level: 'error',
      count: 1,
      entries: [first.id],
      says: new RegExp(`already been used in request ${second.id}, whose code was redeemed`),
    })
  })

  test('is found in each organization by itself', async ({ codeFor, found }) => {
    const twice = { ...careful, client_id: 'app_twice', redirect_uri: 'http://127.0.0.1:3000/cb', scope: 'openid' }
    await codeFor('ada', { ...twice, organization: 'acme' })
    await codeFor('ada', { ...twice, organization: 'globex' })
    expect(await found('state_reuse')).toEqual([])
    await codeFor('ada', { ...twice, organization: 'globex', nonce: 'another' })
    expect(await found('state_reuse')).toMatchObject([{ app: 'twice', organization: 'globex', count: 1 }])
  })

  test('is not found for two states', async ({ codeFor, found }) => {
    await codeFor('ada', careful)
    await codeFor('ada', { ...careful, state: other('c') })
    expect(await found()).toEqual([])
  })
})

describe('weak_state, no_pkce and no_nonce', () => {
  test('are hints about the request, each with what it lacks', async ({ call, found, newest }) => {
    await call(silent())
    const entries = [await newest()]
    const same = { level: 'hint', app: 'notes', count: 1, entries }
    expectOne(await found('weak_state'), {
      ...same,
      section: 'RFC 6749 §10.10',
      says: /The state has 3 characters, with at most 0 random bits/,
    })
    expectOne(await found('no_pkce'), { ...same, section: 'RFC 9700 §2.1.1', says: /no code_challenge.*S256/ })
    expectOne(await found('no_nonce'), { ...same, section: 'OIDC Core §3.1.2.1', says: /no nonce/ })
  })

  test('are found once for a request that comes again after the sign-in page', async ({ call, cookie, found }) => {
    expect((await call(authorizePath())).headers.get('location')).toMatch(/\/login/)
    await call(authorizePath(), { headers: { cookie: await cookie('ada') } })
    expect((await found()).map(({ rule, count }) => [rule, count])).toEqual([
      ['weak_state', 1],
      ['no_pkce', 1],
      ['no_nonce', 1],
    ])
  })

  test.for([
    ['31 hex digits', '0123456789abcdef0123456789abcde', 1],
    ['31 hex digits of both cases', '0123456789ABCDEF0123456789abcde', 1],
    ['32 hex digits', '0123456789abcdef0123456789abcdef', 0],
    ['a UUID', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', 0],
    ['21 of base64url', STRONG.slice(1), 1],
    ['22 of base64url', STRONG, 0],
    ['38 digits', '01234567890123456789012345678901234567', 1],
    ['27 letters', 'abcdefghijklmnopqrstuvwxyzb', 1],
    ['27 capitals', 'ABCDEFGHIJKLMNOPQRSTUVWXYZB', 1],
    ['24 of base32', 'ABCDEFGHIJKLMNOPQRSTUV27', 1],
    ['28 letters', 'abcdefghijklmnopqrstuvwxyzbc', 0],
    ['one letter 50 times', 'a'.repeat(50), 1],
    ['three characters 50 times', 'a-Z'.repeat(50), 1],
    ['four characters 50 times', 'a-Z_'.repeat(50), 0],
  ] as const)('a state of %s', async ([, state, count], { call, found }) => {
    await call(silent({ ...careful, state }))
    expect(await found()).toHaveLength(count)
  })
})

test('a request that is refused, as for its redirect URI, causes no hint', async ({ call, found }) => {
  const refused = await call(silent({ state: 'weak', nonce: undefined, redirect_uri: 'http://localhost:3000/wrong' }))
  expect(refused.status).toBe(400)
  expect(await found()).toEqual([])
})

test('no_nonce is not found without the scope openid: there is no id_token', async ({ call, found }) => {
  await call(silent({ ...careful, nonce: undefined, scope: 'email' }))
  expect(await found()).toEqual([])
})

describe('unredeemed_code', () => {
  test('is found when a code expired unused', async ({ codeFor, found, newest, later }) => {
    await codeFor('ada', careful)
    const entries = [await newest()]
    await later('9m')
    expect(await found()).toEqual([])
    await later('2m')
    const says = /expired without being redeemed/
    expectOne(await found(), {
      rule: 'unredeemed_code',
      level: 'hint',
      section: 'spec: §4.8',
      app: 'notes',
      count: 1,
      entries,
      says,
    })
    expectOne(await found(), { rule: 'unredeemed_code', count: 1, says })
  })

  test('goes by the clock of the organization', async ({ call, codeFor, found }) => {
    await codeFor('ada', careful)
    await call('/_admin/clock/advance', { body: { by: '11m', organization: 'acme' } })
    expect(await found()).toMatchObject([{ rule: 'unredeemed_code', organization: 'acme' }])
  })

  test('names the script that asked for the code', async ({ call, cookie, found, later }) => {
    await call(silent(careful), { headers: { cookie: await cookie('ada'), 'sec-fetch-dest': 'empty' } })
    await later('11m')
    const [finding] = await found('unredeemed_code')
    expect(finding?.message).toMatch(/A script of a page asked for it.*location\.href/)
    expect(finding?.message).not.toContain('SameSite')
  })

  test('is not found when a fault kept the app from redeeming it', async ({ codeFor, token, inject, found, later }) => {
    const code = await codeFor('ada', careful)
    await inject({ surface: 'oauth', path: '/oauth/token' }, { status: 503 })
    await token(redeem(code))
    await later('1h')
    expect(await found()).toEqual([])
  })
})

describe('uncached_keys', () => {
  const JWKS = '/.well-known/jwks.json'

  test.for([JWKS, '/.well-known/openid-configuration'])(
    'is found when %s is fetched three times within its hour',
    async (path, { call, found, newest, later }) => {
      await call(path)
      await later('10m')
      await call(path)
      expect(await found()).toEqual([])
      await later('49m')
      await call(path)
      const entries = [await newest()]
      const says = /was fetched 3 times within an hour/
      expectOne(await found(), {
        rule: 'uncached_keys',
        level: 'hint',
        section: 'spec: §8',
        app: null,
        count: 1,
        entries,
        says,
      })
    },
  )

  test('is not found once an hour, after a rotation, or after an id_token that a fault spoiled', async ({
    call,
    found,
    later,
    codeFor,
    token,
    inject,
  }) => {
    for (let hour = 0; hour < 4; hour++) {
      await call(JWKS)
      await later('1h')
    }
    for (let rotation = 0; rotation < 3; rotation++) {
      await call(JWKS)
      await call('/_admin/keys/rotate', { body: { retire: true } })
    }
    for (const end of ['a', 'b', 'd']) {
      await inject({ surface: 'id_token' }, 'unknown_kid')
      await token(redeem(await codeFor('ada', { ...careful, state: other(end) })))
      await call(JWKS)
    }
    expect(await found()).toEqual([])
  })
})

describe('stale_keys', () => {
  test.beforeEach(async ({ call }) => {
    await call('/.well-known/jwks.json')
    await call('/_admin/keys/rotate', { body: {} })
  })

  test('is found when nobody fetched the keys within 10 s', async ({ codeFor, token, found, newest, pass }) => {
    expect((await token(redeem(await codeFor('ada', careful)))).status).toBe(200)
    const entries = [await newest()]
    pass(9_000)
    expect(await found()).toEqual([])
    pass(2_000)
    const says = /signed with the new key \S+, and the JWKS was not fetched again/
    expectOne(await found(), {
      rule: 'stale_keys',
      level: 'hint',
      section: 'spec: §4.9',
      app: 'notes',
      count: 1,
      entries,
      says,
    })
  })

  test('is found for each id_token by itself', async ({ codeFor, token, found, pass }) => {
    await token(redeem(await codeFor('ada', careful)))
    pass(6_000)
    await token(redeem(await codeFor('ada', { ...careful, state: other('c') })))
    pass(6_000)
    expect(await found()).toMatchObject([{ rule: 'stale_keys', count: 1 }])
    pass(6_000)
    expect(await found()).toMatchObject([{ rule: 'stale_keys', count: 2 }])
  })

  test('is not found for an app that has never fetched keys', async ({ call, codeFor, token, found, pass }) => {
    await call('/_admin/reset', { method: 'POST' })
    await token(redeem(await codeFor('ada', careful)))
    pass(60_000)
    expect(await found()).toEqual([])
  })

  test('is not found when the keys were asked for, in vain too', async ({
    call,
    codeFor,
    token,
    found,
    inject,
    pass,
  }) => {
    await token(redeem(await codeFor('ada', careful)))
    await inject({ surface: 'oauth', path: '/.well-known/jwks.json' }, { status: 503 })
    expect((await call('/.well-known/jwks.json')).status).toBe(503)
    pass(60_000)
    expect(await found()).toEqual([])
  })
})
