import { createHash } from 'node:crypto'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { test as plain } from '../harness/emulator-test.js'
import { callback, landing, silent, test } from '../harness/sign-in-test.js'

const verifier = 'v'.repeat(43)
const warningsOf = async (call: (path: string) => Promise<{ body: { data: { warnings: object[] }[] } }>) =>
  (await call('/_admin/requests?surface=oauth')).body.data.at(-1)?.warnings

describe('wire §6 "PKCE": a challenge has 43 to 128 of RFC 7636\'s characters', () => {
  test.for(['', 'x', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}+`])(
    '%s: invalid_request',
    async (code_challenge, { call, cookie }) => {
      const answer = await call(silent({ code_challenge }), { headers: { cookie: await cookie('ada') } })
      expect(landing(answer).query).toMatchObject({
        error: 'invalid_request',
        error_description: "The code_challenge must have 43 to 128 characters of A-Z, a-z, 0-9, '-', '.', '_' and '~'",
      })
    },
  )

  test.for([43, 128])('%i characters pass', async (length, { call, cookie }) => {
    const code_challenge = 'x'.repeat(length)
    const answer = await call(silent({ code_challenge }), { headers: { cookie: await cookie('ada') } })
    expect(landing(answer).query).toHaveProperty('code')
  })

  test('the plain verifier is the challenge', async ({ codeFor, token }) => {
    const code = await codeFor('ada', { code_challenge: verifier })
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
    expect((await token(form)).status).toBe(200)
  })

  test.for(['x', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}+`])(
    'and so has a verifier: %s is invalid_grant',
    async (code_verifier, { codeFor, token }) => {
      const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
      const code = await codeFor('ada', { code_challenge, code_challenge_method: 'S256' })
      const answer = await token({ grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        error: 'invalid_grant',
        error_description: 'PKCE: a code_verifier has 43 to 128 of the characters A-Z a-z 0-9 - . _ ~',
      })
    },
  )
})

describe('wire §6 "OIDC parameters outside the spec"', () => {
  test.for(['request', 'request_uri'])('%s has an error of its own', async (name, { call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    // RFC 6749 §3.1
    expect(landing(await call(silent({ [name]: '' }), { headers })).query).toHaveProperty('code')
    const answer = await call(silent({ [name]: 'x' }), { headers })
    const error_description = `The parameter ${name} is not supported`
    expect(landing(answer).query).toEqual({ error: `${name}_not_supported`, error_description, state: 'xyz' })
  })

  test('others are ignored, misspelt ones too, with a warning each', async ({ call, cookie }) => {
    const others = {
      max_age: '60',
      login_hint: 'ada',
      id_token_hint: 'x',
      claims: '{}',
      acr_values: 'high',
      display: 'popup',
      ui_locales: 'de',
      resource: 'https://notes.test',
      organisation: 'globex',
    }
    const answer = await call(silent(others), { headers: { cookie: await cookie('ada') } })
    expect(landing(answer).query).toHaveProperty('code')
    const warning = (path: string) => ({
      code: 'ignored_parameter',
      path,
      message: `The platform does not document ${path}; it was ignored`,
    })
    expect(await warningsOf(call)).toEqual(Object.keys(others).map(warning))
    await call(`${silent()}&twice=1&twice=2`)
    expect(await warningsOf(call)).toEqual([warning('twice')])
    const many = Array.from({ length: 101 }, (_, index) => [`x${index}`, '1'])
    await call(silent(Object.fromEntries(many)))
    expect((await call('/_admin/requests')).body.data.at(-1).warnings).toHaveLength(100)
  })
})

describe('why a browser or a clock is in the way', () => {
  test('a frame of another site is sent no cookie, and the reason says so', async ({ call, emulator }) => {
    const framed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }
    await call(silent(), { headers: framed })
    const [entry] = (await call('/_admin/requests?surface=oauth')).body.data
    expect(entry.reason).toMatch(/^login_required: .*SameSite=Lax/)
    const { port } = new URL(emulator.url)
    expect(entry.reason).toContain(
      `: redirect the whole page instead, or for an app on localhost start the emulator with --app-url http://localhost:${port}, which`,
    )
    await call(silent())
    const last = (await call('/_admin/requests?surface=oauth')).body.data.at(-1)
    expect(last.reason).not.toContain('SameSite')
  })

  test('a token request from a page gets a warning', async ({ call, codeFor, token }) => {
    const form = { grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri: callback }
    expect((await token(form, { origin: 'http://app.test' })).status).toBe(200)
    const [warning] = (await warningsOf(call)) ?? []
    expect(warning).toEqual({
      code: 'token_request_from_page',
      path: 'Origin',
      message:
        'The request came from a page of http://app.test. A page cannot read the response, and the client secret does ' +
        "not belong there: redeem codes in the app's backend",
    })
  })

  test('a token request from a page gets it when it is refused too, and before it is sent', async ({ call, token }) => {
    const origin = 'http://app.test'
    const code = 'token_request_from_page'
    await token({ grant_type: 'authorization_code', client_secret: '' }, { origin })
    expect(await warningsOf(call)).toMatchObject([{ code }])
    expect((await call('/oauth/token', { method: 'OPTIONS', headers: { origin } })).status).toBe(405)
    expect(await warningsOf(call)).toMatchObject([{ code }])
    await call('/.well-known/nothing', { headers: { origin } })
    expect(await warningsOf(call)).toEqual([])
  })

  test('the discovery document has a warning under another name than the issuer, and only there', async ({
    call,
    emulator,
  }) => {
    const discovery = '/.well-known/openid-configuration'
    await call(discovery)
    expect(await warningsOf(call)).toEqual([])
    const host = new URL(emulator.url).host.replace('127.0.0.1', 'localhost')
    await call(discovery, { headers: { host } })
    expect(await warningsOf(call)).toEqual([
      {
        code: 'other_issuer',
        path: 'Host',
        message:
          `The document was requested from http://${host}, but its issuer is ${emulator.url}. Clients compare the two: ` +
          `configure ${emulator.url}, or start with --app-url http://${host}`,
      },
    ])
  })

  test('so has an id_token that is requested there', async ({ call, codeFor, emulator, token }) => {
    const host = new URL(emulator.url).host.replace('127.0.0.1', 'localhost')
    const form = { grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri: callback }
    const { refresh_token } = (await token(form, { host })).body
    const message =
      `The id_token was requested from http://${host}, but its issuer is ${emulator.url}. Clients compare the two: ` +
      `configure ${emulator.url}, or start with --app-url http://${host}`
    expect(await warningsOf(call)).toContainEqual({ code: 'other_issuer', path: 'Host', message })
    await token({ grant_type: 'refresh_token', refresh_token }, { host })
    expect(await warningsOf(call)).toEqual([])
  })

  test('the reason says what hides a session: another host name, its end, a cookie of old', async ({
    call,
    cookie,
    emulator,
  }) => {
    const reason = async (headers: Record<string, string> = {}) => {
      expect(landing(await call(silent(), { headers })).query.error_description).toBe('The user is not signed in')
      return (await call('/_admin/requests?surface=oauth')).body.data.at(-1).reason
    }
    const said = 'login_required: The user is not signed in'
    expect(await reason()).toBe(said)
    const { host } = new URL(emulator.url)
    const other = host.replace('127.0.0.1', 'localhost')
    expect(await reason({ host: other })).toBe(
      `${said}. The request was sent to localhost, and browsers keep the cookies of 127.0.0.1 apart: use one host name throughout`,
    )
    expect(await reason({ host: '127.0.0.1:1' })).toBe(said)
    const old = { cookie: await cookie('ada') }
    await call('/_admin/silent-auth', { method: 'PUT', body: { outcome: 'login_required', times: 1 } })
    expect(await reason({ host: other })).toBe('login_required: forced by the control API')
    await call('/_admin/sessions', { method: 'DELETE' })
    const ended = `${said}. The browser was signed in, but its session has ended, as with a reset of the world`
    expect(await reason(old)).toBe(ended)
    await call('/_admin/sessions/ambient', { method: 'PUT', body: { user: 'ada' } })
    expect(await reason(old)).toBe(`${ended}. Its cookie also hides the ambient user: delete the cookie`)
  })

  const frame = 'authorize_request_from_frame'
  test.for([
    ['a script', {}, { dest: 'empty', site: 'cross-site' }, 'authorize_request_from_script', /location\.href/],
    [
      'an interactive frame',
      { prompt: undefined },
      { dest: 'iframe', site: 'cross-site' },
      frame,
      /do not show the sign-in/,
    ],
    ['a frame of this host', {}, { dest: 'iframe', site: 'same-site' }, frame, /whatever its port/],
  ] as const)(
    'a request to authorize from %s gets a warning',
    async ([, changes, { dest, site }, code, says], { call }) => {
      await call(silent(changes), { headers: { 'sec-fetch-dest': dest, 'sec-fetch-site': site } })
      const message = expect.stringMatching(says)
      expect(await warningsOf(call)).toEqual([{ code, path: 'Sec-Fetch-Dest', message }])
    },
  )

  test.for([
    ['a page', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }],
    ['a frame of another site', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }],
    ['a program', { 'sec-fetch-mode': 'cors' }],
  ] as const)('a request to authorize from %s gets none', async ([, headers], { call }) => {
    await call(silent(), { headers })
    expect(await warningsOf(call)).toEqual([])
  })

  test("an id_token that the machine's clock refuses says which time it refuses", async ({ call, codeFor, token }) => {
    await call('/_admin/clock/freeze', { body: { at: '2020-01-01T00:00:00Z' } })
    const form = { grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri: callback }
    expect((await token(form)).status).toBe(200)
    const [warning] = (await warningsOf(call)) ?? []
    const cure = 'so clients that go by it refuse the id_token: start without --now, or move the clock'
    const days = Math.ceil((Date.now() - Date.parse('2020-01-01T01:00:00Z')) / 86_400_000)
    const message = `By the machine's clock its exp (2020-01-01T01:00:00Z) is ${days} days in the past, ${cure}`
    expect(warning).toEqual({ code: 'id_token_time', path: 'id_token', message })
  })

  test.for([
    [5 * 60, /5 minutes/],
    [30 * 86_400, /30 days/],
    [7 * 3600, /7 hours/],
    [30, /[23]\d s/],
  ] as const)('%i s ahead of it', async ([seconds, distance], { call, codeFor, token }) => {
    const at = new Date(Date.now() + seconds * 1000).toISOString()
    await call('/_admin/clock/freeze', { body: { at } })
    const form = { grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri: callback }
    expect((await token(form)).status).toBe(200)
    const messages = (await warningsOf(call))?.map((warning) => (warning as { message: string }).message)
    expect(messages).toEqual([expect.stringContaining(`its iat (${at.slice(0, 19)}Z) is `)])
    expect(messages?.[0]).toMatch(new RegExp(` is ${distance.source} in the future, so clients that go by it refuse`))
  })

  describe('without a now', () => {
    test.override({ settings: { now: undefined } })

    test('only a move of the clock is advised', async ({ call, codeFor, token }) => {
      await call('/_admin/clock/freeze', { body: { at: '2020-01-01T00:00:00Z' } })
      const form = { grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri: callback }
      expect((await token(form)).status).toBe(200)
      const [warning] = (await warningsOf(call)) ?? []
      expect(warning).toMatchObject({ message: expect.stringMatching(/refuse the id_token: move the clock$/) })
    })
  })

  describe('with an id_token_ttl of half a second', () => {
    test.override({ settings: { now: undefined, idTokenTtl: '500ms' } })

    test.for([
      [300, 'exp (2020-01-01T00:00:00Z)'],
      [600, 'exp (2020-01-01T00:00:01Z)'],
    ] as const)('its exp at %i ms is that of the token', async ([ms, names], { call, codeFor, token }) => {
      await call('/_admin/clock/freeze', { body: { at: `2020-01-01T00:00:00.${ms}Z` } })
      const form = { grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri: callback }
      expect((await token(form)).status).toBe(200)
      const [warning] = (await warningsOf(call)) ?? []
      expect(warning).toMatchObject({ message: expect.stringContaining(`its ${names} is`) })
    })
  })

  describe("with an id_token_ttl of 0 and the machine's time", () => {
    test.override({ settings: { now: undefined, seed: undefined, idTokenTtl: 0 } })

    test('a longer one is advised', async ({ call, codeFor, token }) => {
      const form = { grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri: callback }
      expect((await token(form)).status).toBe(200)
      const [warning] = (await warningsOf(call)) ?? []
      const cure = 'refuse the id_token: start with a longer --id-token-ttl'
      expect(warning).toMatchObject({ message: expect.stringContaining(cure) })
    })
  })

  plain('with a seed and no now the clock stands at the time of the start', async () => {
    const before = Date.now()
    const emulator = await startEmulator({ seed: 'now', fixtures: {} })
    const { now, frozen } = await emulator.admin.clock()
    await emulator.close()
    expect(frozen).toBe(true)
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now())
  })
})

describe('control-api: keys rotated ahead of time', () => {
  const kidOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid

  test('after: published now, signs then', async ({ call, codeFor, token }) => {
    const redeem = async () =>
      kidOf(
        (await token({ grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri: callback })).body
          .id_token,
      )
    const earlier = await redeem()
    const { kid } = (await call('/_admin/keys/rotate', { body: { after: '1h' } })).body
    const { keys } = (await call('/.well-known/jwks.json')).body
    expect(keys.map((key: { kid: string }) => key.kid)).toEqual([kid, earlier])
    expect(await redeem()).toBe(earlier)
    await call('/_admin/clock/advance', { body: { by: '1m' } })
    const between = (await call('/_admin/keys/rotate', { body: {} })).body.kid
    expect(await redeem()).toBe(between)
    await call('/_admin/clock/advance', { body: { by: '59m' } })
    expect(await redeem()).toBe(kid)
  })

  test('retire goes without after', async ({ call }) => {
    const { status, body } = await call('/_admin/keys/rotate', { body: { after: '1h', retire: true } })
    expect(status).toBe(400)
    expect(body.errors).toEqual([expect.objectContaining({ path: 'retire' })])
  })
})

test('wire §6: leaving an organization ends the tokens and codes that a user has there', async ({
  call,
  codeFor,
  token,
}) => {
  const redeem = async (code: string) => token({ grant_type: 'authorization_code', code, redirect_uri: callback })
  const { refresh_token } = (await redeem(await codeFor('ada'))).body
  const code = await codeFor('ada')
  await call('/_admin/organizations/acme/members/ada', { method: 'DELETE' })
  expect((await redeem(code)).body).toMatchObject({ error: 'invalid_grant' })
  expect((await token({ grant_type: 'refresh_token', refresh_token })).body).toMatchObject({ error: 'invalid_grant' })
  const { data } = (await call('/_admin/tokens?user=ada')).body
  expect(data.map(({ state }: { state: string }) => state)).toEqual(['revoked', 'revoked'])
})

test('wire §6: whoever stays, and the app itself, keep theirs', async ({ call, codeFor, token }) => {
  const redeem = async (code: string) => token({ grant_type: 'authorization_code', code, redirect_uri: callback })
  const { refresh_token } = (await redeem(await codeFor('bob'))).body
  const code = await codeFor('bob')
  const used = await codeFor('ada')
  await redeem(used)
  await call('/_admin/organizations/acme/members/ada', { method: 'DELETE' })
  expect((await redeem(code)).status).toBe(200)
  expect((await token({ grant_type: 'refresh_token', refresh_token })).status).toBe(200)
  expect((await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })).status).toBe(200)
  const { data } = (await call('/_admin/tokens?organization=acme&state=revoked')).body
  expect(data.map(({ user }: { user: string }) => user)).toEqual(['ada', 'ada'])
})
