import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { callback, silent, test } from '../harness/sign-in-test.js'

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const encode = encodeURIComponent

describe('spec §2.6, wire §6: the token response', () => {
  test('a code is exchanged for tokens and, with openid, an id_token', async ({ token, codeFor }) => {
    const code = await codeFor('ada')
    const { status, body, headers } = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(
      ['access_token', 'expires_in', 'id_token', 'refresh_token', 'scope', 'token_type'].sort(),
    )
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid profile email' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('pragma')).toBe('no-cache')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    for (const secret of [body.access_token, body.refresh_token]) expect(secret.length).toBeGreaterThanOrEqual(43)
  })

  test('without openid there is no id_token', async ({ token, codeFor }) => {
    const code = await codeFor('ada', { scope: 'email' })
    const { body } = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
    expect(body.scope).toBe('email')
    expect(body).not.toHaveProperty('id_token')
  })

  test('a refresh yields a new pair of the same scope, and never an id_token', async ({ token, codeFor, call }) => {
    const code = await codeFor('ada')
    const first = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
    const second = await token({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token })
    expect(second.status).toBe(200)
    expect(Object.keys(second.body).sort()).toEqual(
      ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'].sort(),
    )
    expect(second.body.scope).toBe(first.body.scope)
    expect(second.body.access_token).not.toBe(first.body.access_token)
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token)
    const { body } = await call('/_admin/tokens?grant=authorize&state=active')
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['access', 'access', 'refresh'])
  })

  test('user tokens get 403 on /v0, and the earlier install token works on after a refresh', async ({
    token,
    codeFor,
    call,
  }) => {
    const code = await codeFor('ada')
    const { body } = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
    const refused = await call('/v0/elements', { as: body.access_token })
    expect(refused.status).toBe(403)
    expect(refused.body.error).toBe('Insufficient scope')
    await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })
    expect((await call('/v0/courses', { as: 'at_acme' })).status).toBe(403)
    expect((await call('/v0/elements', { as: 'at_acme' })).status).not.toBe(401)
  })
})

describe('wire §6: client authentication', () => {
  const refresh = { grant_type: 'refresh_token', refresh_token: 'rt_acme' }

  test('client_secret_basic and client_secret_post both work', async ({ call, token }) => {
    const headers = { authorization: basic('app_notes', 'notes_secret') }
    const first = await call('/oauth/token', { form: refresh, headers })
    expect(first.status).toBe(200)
    expect((await token({ ...refresh, refresh_token: first.body.refresh_token })).status).toBe(200)
  })

  test('the client_id may be in the body beside basic, when it is the same', async ({ call }) => {
    const headers = { authorization: basic('app_notes', 'notes_secret') }
    const form = { ...refresh, client_id: 'app_notes' }
    expect((await call('/oauth/token', { form, headers })).status).toBe(200)
  })

  test('the halves of basic are percent-encoded', async ({ call }) => {
    const app = {
      client_id: 'a b:c',
      client_secret: 'p%:+é',
      manifest: {
        id: 'odd',
        name: 'Odd',
        version: '1.0.0',
        permissions: ['openid'],
        oauth: { authorize: { redirect_uris: ['https://odd.test/cb'] } },
      },
    }
    await call('/_admin/apps', { body: app })
    const authorization = basic(encode('a b:c'), encode('p%:+é'))
    const { body } = await call('/oauth/token', { form: refresh, headers: { authorization } })
    expect(body.error).toBe('invalid_grant')
    const plus = { authorization: basic('a+b%3Ac', 'p%25%3A%2B%C3%A9') }
    expect((await call('/oauth/token', { form: refresh, headers: plus })).body.error).toBe('invalid_grant')
    const raw = await call('/oauth/token', { form: refresh, headers: { authorization: basic('a b:c', 'p%:+é') } })
    expect(raw.body.error).toBe('invalid_client')
  })

  test.for([
    [basic('app_notes', 'notes_secret').toLowerCase().slice(0, 5) + basic('app_notes', 'notes_secret').slice(5), 200],
    [basic('app_notes', 'notes_secret').replace(' ', '   '), 200],
    [basic('app_notes', 'notes_secret').replace(/=+$/, ''), 200],
    [`x${basic('app_notes', 'notes_secret')}`, 401],
    [`${basic('app_notes', 'notes_secret')} x`, 401],
  ] as const)('the header "%s": %i', async ([authorization, status], { call }) => {
    expect((await call('/oauth/token', { form: refresh, headers: { authorization } })).status).toBe(status)
  })

  const attempts: [name: string, form: Record<string, string>, authorization: string | undefined, error: string][] = [
    ['no credentials', {}, undefined, 'invalid_client'],
    ['no secret', { client_id: 'app_notes' }, undefined, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody', client_secret: 'x' }, undefined, 'invalid_client'],
    ['a wrong secret', { client_id: 'app_notes', client_secret: 'wrong' }, undefined, 'invalid_client'],
    ["another app's secret", { client_id: 'app_notes', client_secret: 'duo_secret' }, undefined, 'invalid_client'],
    ['a wrong secret in the header', {}, basic('app_notes', 'wrong'), 'invalid_client'],
    ['a header that is not base64', {}, 'Basic !!!', 'invalid_client'],
    ['a header without a colon', {}, `Basic ${Buffer.from('app_notes').toString('base64')}`, 'invalid_client'],
    ['another scheme', {}, 'Bearer at_acme', 'invalid_client'],
    [
      'the manifest id for a client_id',
      { client_id: 'notes', client_secret: 'notes_secret' },
      undefined,
      'invalid_client',
    ],
    [
      'both ways at once',
      { client_id: 'app_notes', client_secret: 'notes_secret' },
      basic('app_notes', 'notes_secret'),
      'invalid_request',
    ],
    ['two client ids', { client_id: 'app_duo' }, basic('app_notes', 'notes_secret'), 'invalid_request'],
  ]
  for (const [name, form, authorization, error] of attempts) {
    test(`${name}: ${error}`, async ({ call }) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const answer = await call('/oauth/token', { form: { ...refresh, ...form }, headers })
      expect(answer.status).toBe(error === 'invalid_client' ? 401 : 400)
      expect(answer.body).toEqual({ error, error_description: expect.stringMatching(/./) })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const challenge = error === 'invalid_client' ? 'Basic realm="oauth"' : null
      expect(answer.headers.get('www-authenticate')).toBe(challenge)
      if (error === 'invalid_client') expect(answer.body.error_description).toBe('Client authentication failed')
      expect((await call('/_admin/tokens?state=rotated')).body.data).toEqual([])
    })
  }
})

describe('control-api "Journal": a secret that was sent in another way than it has to be', () => {
  const plain = 'The Authorization header has the client_secret unencoded: percent-encode'
  test.for([
    ['s%c+r:ü&=', basic('app_odd', 's%c+r:ü&='), plain],
    ['ab+cd/ef==', basic('app_odd', 'ab+cd/ef=='), plain],
    ['ab%41', basic('app_odd', 'ab%41'), plain],
    [
      'ab+c',
      'client_id=app_odd&client_secret=ab+c',
      'The client_secret was sent unencoded: percent-encode "\\+" and "%"',
    ],
    ['ab+c', 'client_id=app_odd&client_secret=ab%252Bc', 'The client_secret was percent-encoded twice$'],
    ['ab', basic('app_odd', 'ab%0A'), 'The client_secret was sent with surrounding white space'],
    [
      'ab',
      basic('app_odd', 'odd_signing'),
      'The client_secret is not the one of app_odd: .* prints it. The signing secret was sent$',
    ],
    [
      'ab',
      basic('app_odd', 'wrong100%zz'),
      'The client_secret is not the one of app_odd: .* prints it. Its percent-encoding is invalid$',
    ],
  ] as const)('%s, as %s', async ([client_secret, credentials, why], { call }) => {
    const manifest = { id: 'odd', name: 'Odd', version: '1.0.0', permissions: ['openid'] }
    const app = { client_id: 'app_odd', client_secret, signing_secret: 'odd_signing', manifest }
    expect((await call('/_admin/apps', { body: app })).status).toBe(201)
    const [authorization, posted] = credentials.startsWith('Basic') ? [credentials, ''] : ['', credentials]
    const { body } = await call('/oauth/token', {
      raw: `grant_type=refresh_token&refresh_token=rt_acme&${posted}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...(authorization && { authorization }) },
    })
    expect(body).toEqual({ error: 'invalid_client', error_description: 'Client authentication failed' })
    const [entry] = (await call('/_admin/requests?path=/oauth/token')).body.data
    expect(entry).toMatchObject({ app: 'odd', reason: expect.stringMatching(new RegExp(`^${why}`)) })
  })
})

test.for([
  [basic('', 'notes_secret'), 'No client_id was sent, neither in the Authorization header nor in the body', null],
  [basic('app_notes', ''), 'No client_secret was sent', 'notes'],
  [
    basic('app_notes', 'wrong'),
    'The client_secret is not the one of app_notes: mockademy env --app notes --url ORIGIN prints it',
    'notes',
  ],
  [
    `Basic ${Buffer.from('app_notesx').toString('base64')}`,
    'The Authorization header is not "Basic <base64 of client_id:client_secret>"',
    null,
  ],
] as const)(
  'control-api "Journal": why %s is refused, and whose it is',
  async ([authorization, why, app], { call, emulator }) => {
    const form = { grant_type: 'refresh_token', refresh_token: 'unknown' }
    expect((await call('/oauth/token', { form, headers: { authorization } })).status).toBe(401)
    expect((await call('/_admin/requests')).body.data).toMatchObject([
      { reason: why.replace('ORIGIN', emulator.url), app },
    ])
  },
)

test('wire §6: both ways of authentication at once are refused, with what to do', async ({ call }) => {
  const client = { client_id: 'app_notes', client_secret: 'notes_secret' }
  const form = { ...client, grant_type: 'refresh_token', refresh_token: 'rt_acme' }
  const headers = { authorization: basic('app_notes', 'notes_secret') }
  expect((await call('/oauth/token', { form, headers })).body).toEqual({
    error: 'invalid_request',
    error_description: 'Send the client credentials in the Authorization header or in the body, not in both',
  })
})

test('an Authorization header of another kind beside credentials in the body is refused, and named', async ({
  call,
}) => {
  const client = { client_id: 'app_notes', client_secret: 'notes_secret' }
  const form = { ...client, grant_type: 'refresh_token', refresh_token: 'rt_acme' }
  const { status, body } = await call('/oauth/token', { form, headers: { authorization: 'Bearer at_acme' } })
  expect(status).toBe(400)
  expect(body).toEqual({
    error: 'invalid_request',
    error_description:
      'The client credentials are in the body, so omit the Authorization header; its only supported scheme is Basic',
  })
})

describe('wire §6, RFC 6749 §5.2: what is refused', () => {
  const forms: [name: string, raw: string, error: string][] = [
    ['no grant_type', '', 'invalid_request'],
    ['an empty grant_type', 'grant_type=', 'invalid_request'],
    ['an unknown grant_type', 'grant_type=client_credentials', 'unsupported_grant_type'],
    ['a grant_type of every object', 'grant_type=__proto__', 'unsupported_grant_type'],
    ['a parameter twice', 'grant_type=refresh_token&refresh_token=rt_acme&refresh_token=rt_acme', 'invalid_request'],
    ['grant_type twice', 'grant_type=refresh_token&grant_type=refresh_token&refresh_token=rt_acme', 'invalid_request'],
    ['no refresh_token', 'grant_type=refresh_token', 'invalid_request'],
    ['an unknown refresh_token', 'grant_type=refresh_token&refresh_token=nope', 'invalid_grant'],
    ['an access token as refresh_token', 'grant_type=refresh_token&refresh_token=at_acme', 'invalid_grant'],
    ["another app's refresh_token", 'grant_type=refresh_token&refresh_token=rt_sync', 'invalid_grant'],
    ['more scope than granted', 'grant_type=refresh_token&refresh_token=rt_acme&scope=courses:read', 'invalid_scope'],
    ['no code', `grant_type=authorization_code&redirect_uri=${encode(callback)}`, 'invalid_request'],
    ['no redirect_uri', 'grant_type=authorization_code&code=x', 'invalid_request'],
    ['an unknown code', `grant_type=authorization_code&code=x&redirect_uri=${encode(callback)}`, 'invalid_grant'],
  ]
  for (const [name, form, error] of forms) {
    test(`${name}: ${error}`, async ({ call }) => {
      const raw = `client_id=app_notes&client_secret=notes_secret&${form}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await call('/oauth/token', { method: 'POST', raw, headers })
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 400, error })
      expect((await call('/_admin/tokens?state=active')).body.data).toHaveLength(4)
    })
  }

  test('an unknown code is called not valid; the journal says why', async ({ token, call }) => {
    const { body } = await token({ grant_type: 'authorization_code', code: 'x', redirect_uri: callback })
    expect(body).toEqual({ error: 'invalid_grant', error_description: 'The authorization code is not valid' })
    const [entry] = (await call('/_admin/requests?path=/oauth/token')).body.data
    expect(entry.reason).toBe('The code was never issued here, or is no longer kept')
  })

  test('a parameter that is given twice is named', async ({ call }) => {
    const raw = 'client_id=app_notes&client_secret=notes_secret&grant_type=refresh_token&scope=a&scope=a'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { body } = await call('/oauth/token', { method: 'POST', raw, headers })
    expect(body.error_description).toBe('The parameter scope is given more than once')
  })

  test('the journal says what is wrong with a request, which its response does not', async ({ token, reason }) => {
    const rows: [form: Record<string, string>, description: string, reason: string][] = [
      [
        { grant_type: 'password' },
        'The grant_type must be one of: authorization_code, refresh_token',
        'grant_type is password',
      ],
      [
        { grant_type: 'refresh_token', refresh_token: 'rt_nope' },
        'The refresh token is not valid',
        'The refresh token was never issued here, or is no longer kept',
      ],
      [
        { grant_type: 'refresh_token', refresh_token: 'at_acme' },
        'The refresh token is not valid',
        'An access token was sent as refresh_token',
      ],
      [
        { grant_type: 'refresh_token', refresh_token: 'undefined' },
        'The refresh token is not valid',
        'The refresh_token is the text "undefined": the variable that it is read from has no value',
      ],
      [
        { grant_type: 'refresh_token', refresh_token: '{\n  "refresh_token": "rt_acme"\n}' },
        'The refresh token is not valid',
        'The refresh_token is JSON: send one of its values',
      ],
      [
        { grant_type: 'refresh_token', refresh_token: 'rt_acme\n' },
        'The refresh token is not valid',
        'The refresh_token has white space around it: send it without',
      ],
      [
        { grant_type: 'refresh_token', refresh_token: 'Bearer rt_acme' },
        'The refresh token is not valid',
        'The refresh_token begins with the word Bearer: send what follows it',
      ],
      [
        { grant_type: 'authorization_code', code: 'rt_acme', redirect_uri: callback },
        'The authorization code is not valid',
        'A refresh token was sent as code',
      ],
      [
        { grant_type: 'refresh_token', refresh_token: 'rt_acme', client_secret: 'sync_secret' },
        'Client authentication failed',
        expect.stringMatching(/prints it\. It is the one of app_sync$/),
      ],
      [
        { grant_type: 'refresh_token', refresh_token: 'rt_acme', client_secret: 'app_notes' },
        'Client authentication failed',
        expect.stringMatching(/prints it\. The client_secret is the client_id of an app$/),
      ],
      [
        { grant_type: 'refresh_token', refresh_token: 'rt_acme', client_secret: 'key_acme' },
        'Client authentication failed',
        expect.stringMatching(/prints it\. An API key was sent as client_secret$/),
      ],
      [
        { grant_type: 'refresh_token', client_id: 'notes_secret', client_secret: 'app_notes' },
        'Client authentication failed',
        'There is no app with the client_id [redacted]. A client secret was sent as client_id',
      ],
      [
        { grant_type: 'refresh_token', client_id: 'notes' },
        'Client authentication failed',
        'There is no app with the client_id notes. The client_id is the id of an app whose client_id is app_notes',
      ],
      [
        { grant_type: 'refresh_token', refresh_token: 'rt_sync' },
        'The refresh token is not valid',
        'The refresh token was issued to the app sync, not to notes',
      ],
      [
        { grant_type: 'refresh_token' },
        'The parameter refresh_token is missing',
        'The parameter refresh_token is missing',
      ],
      [
        { grant_type: 'refresh_token', refresh_token: 'rt_acme', scope: 'openid courses:read' },
        'The refresh token was not granted: openid courses:read',
        'The refresh token was not granted: openid courses:read',
      ],
    ]
    for (const [form, description, why] of rows) {
      expect((await token(form)).body.error_description).toBe(description)
      expect(await reason()).toEqual(why)
    }
  })

  test('the journal warns of parameters that are ignored, whether or not the request succeeds', async ({ call }) => {
    const credentials = { client_id: 'app_notes', client_secret: 'notes_secret' }
    const form = { ...credentials, grant_type: 'refresh_token', refresh_token: 'rt_acme', audience: 'x' }
    expect((await call('/oauth/token', { form })).status).toBe(200)
    const misspelt = { ...credentials, grant_type: 'refresh_token', refreshToken: 'rt_acme' }
    expect((await call('/oauth/token?scope=openid&tenant=1', { form: misspelt })).status).toBe(400)
    const code = 'ignored_parameter'
    const expected =
      'expected one of grant_type, code, redirect_uri, code_verifier, refresh_token, scope, client_id, client_secret'
    const inQuery = 'This parameter is in the query, where it was ignored: send it in the body'
    expect((await call('/_admin/requests')).body.data).toMatchObject([
      { warnings: [{ code, path: 'audience', message: `This parameter was ignored; ${expected}` }] },
      {
        warnings: [
          { code, path: 'refreshToken', message: 'This parameter was ignored; did you mean "refresh_token"?' },
          { code, path: 'scope', message: inQuery },
          { code, path: 'tenant', message: `This parameter was ignored; ${expected}` },
        ],
      },
    ])
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x${index}`, '']))
    await call('/oauth/token', { form: { ...misspelt, ...many } })
    expect((await call('/_admin/requests')).body.data.at(-1).warnings).toHaveLength(100)
  })

  test('the journal says that a form is JSON, without its text', async ({ call }) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = JSON.stringify({ client_id: 'app_notes', code_verifier: 'a&b=c' })
    expect((await call('/oauth/token', { method: 'POST', raw, headers })).body.error).toBe('invalid_client')
    const message = 'It promises a form, but the body is JSON: send a form'
    expect((await call('/_admin/requests')).body.data).toMatchObject([
      { warnings: [{ code: 'json_as_form', path: 'Content-Type', message }] },
    ])
  })

  test("another app's refresh token is not used up", async ({ token }) => {
    const stolen = { grant_type: 'refresh_token', refresh_token: 'rt_sync' }
    expect((await token(stolen)).body.error).toBe('invalid_grant')
    const owner = await token({ ...stolen, client_id: 'app_sync', client_secret: 'sync_secret' })
    expect(owner.status).toBe(200)
  })

  for (const type of [
    'application/json',
    'application/x-www-form-urlencodedx',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded; charset=iso-8859-1',
    'application/x-www-form-urlencoded;charset="UTF-16"',
    '',
  ]) {
    test(`the content type ${type || '(none)'} is invalid_request`, async ({ call }) => {
      const raw = Buffer.from(
        'client_id=app_notes&client_secret=notes_secret&grant_type=refresh_token&refresh_token=rt_acme',
      )
      const headers = { 'content-type': type }
      const answer = await call('/oauth/token', { method: 'POST', raw: new Uint8Array(raw), headers })
      const error_description = 'The body must be application/x-www-form-urlencoded in UTF-8'
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', error_description } })
    })
  }

  for (const parameters of ['; charset=UTF-8', ' ; charset=UTF-8', ';charset=UTF-8', '; Charset="utf-8"']) {
    test(`"${parameters}" beside the content type is fine`, async ({ call }) => {
      const raw = 'client_id=app_notes&client_secret=notes_secret&grant_type=refresh_token&refresh_token=rt_acme'
      const headers = { 'content-type': `application/x-www-form-urlencoded${parameters}` }
      expect((await call('/oauth/token', { method: 'POST', raw, headers })).status).toBe(200)
    })
  }

  test('credentials in the query do not count', async ({ call }) => {
    const form = { grant_type: 'refresh_token', refresh_token: 'rt_acme' }
    const answer = await call('/oauth/token?client_id=app_notes&client_secret=notes_secret', { form })
    expect(answer.status).toBe(401)
  })

  test('more than 64 KB is refused', async ({ token }) => {
    const answer = await token({ grant_type: 'refresh_token', refresh_token: 'x'.repeat(65 * 1024) })
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 413, error: 'invalid_request' })
  })

  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    test(`${method} is 405`, async ({ call }) => {
      const answer = await call('/oauth/token', { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('POST')
      expect(answer.body.error).toBe('invalid_request')
    })
  }
})

test('wire §6: a form has at most 1,000 parameters', async ({ token }) => {
  const form = (count: number) => ({
    grant_type: 'refresh_token',
    refresh_token: 'rt_acme',
    ...Object.fromEntries(Array.from({ length: count - 4 }, (_, index) => [`p${index}`, 'x'])),
  })
  expect(await token(form(1001))).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', error_description: 'The body has more than 1000 parameters' },
  })
  expect((await token(form(1000))).status).toBe(200)
})

test('RFC 6749 §6: a refresh may name its scope, with spaces around it', async ({ token }) => {
  const form = { grant_type: 'refresh_token', refresh_token: 'rt_acme', scope: ' elements:read  elements:read ' }
  expect(await token(form)).toMatchObject({ status: 200, body: { scope: 'elements:read' } })
})

describe('control-api: faults with a name, at the token endpoint', () => {
  const named: [effect: string, status: number, error: string, description: string][] = [
    ['token_expired', 400, 'invalid_grant', 'The refresh token has expired'],
    ['token_revoked', 400, 'invalid_grant', 'The refresh token was revoked'],
    ['insufficient_scope', 400, 'invalid_scope', 'The requested scope was not granted'],
    ['rate_limited', 429, 'temporarily_unavailable', 'Rate limit exceeded. Please try again later.'],
    ['unavailable', 503, 'temporarily_unavailable', 'Service unavailable'],
  ]
  for (const [effect, status, error, error_description] of named) {
    test(`${effect}: ${status} ${error}, and the token is not used up`, async ({ call, token }) => {
      const match = { surface: 'oauth', path: '/oauth/token', app: 'app_notes', grant_type: 'refresh_token' }
      await call('/_admin/faults', { body: { match, effect, times: 1 } })
      const refused = await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })
      expect(refused).toMatchObject({ status, body: { error, error_description } })
      expect((await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })).status).toBe(200)
    })
  }

  test.for([
    [400, 'invalid_request', 'Validation failed', null],
    [429, 'temporarily_unavailable', 'Rate limit exceeded. Please try again later.', '60'],
    [500, 'server_error', 'Internal server error', null],
    [503, 'temporarily_unavailable', 'Service unavailable', null],
  ] as const)('the status %i: %s', async ([status, error, error_description, retryAfter], { call, token }) => {
    const match = { surface: 'oauth', path: '/oauth/token' }
    await call('/_admin/faults', { body: { match, effect: { status }, times: 1 } })
    const answer = await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })
    expect(answer).toMatchObject({ status, body: { error, error_description } })
    expect(answer.headers.get('retry-after')).toBe(retryAfter)
  })

  test('token_revoked of a code, and 401 where no client authenticates', async ({ call, token, codeFor }) => {
    const code = await codeFor('ada')
    await call('/_admin/faults', { body: { match: { surface: 'oauth' }, effect: 'token_revoked', times: 1 } })
    expect((await token({ grant_type: 'authorization_code', code, redirect_uri: callback })).body).toEqual({
      error: 'invalid_grant',
      error_description: 'The authorization code is not valid',
    })
    await call('/_admin/faults', { body: { match: { surface: 'oauth' }, effect: { status: 401 }, times: 1 } })
    const keys = await call('/.well-known/jwks.json')
    expect(keys).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(keys.headers.has('www-authenticate')).toBe(false)
  })

  test.for([
    [{ omit: ['id_token'] }, 200],
    [{ merge: { id_token: null } }, 200],
    ['token_expired', 400],
    ['token_revoked', 400],
    ['insufficient_scope', 400],
  ] as const)(
    '%o is not spent on the authorization endpoint, where it could change nothing',
    async ([effect, status], { call, token, codeFor }) => {
      await call('/_admin/faults', { body: { match: { surface: 'oauth' }, effect, times: 1 } })
      const code = await codeFor('ada')
      const answer = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
      expect(answer.status).toBe(status)
      expect(answer.body.id_token ?? null).toBe(null)
    },
  )

  const like: [effect: unknown, real: Record<string, string>][] = [
    [{ status: 401 }, { client_secret: 'wrong' }],
    ['token_expired', {}],
  ]
  for (const [effect, real] of like) {
    test(`${JSON.stringify(effect)} is answered as the real thing is`, async ({ call, token, codeFor }) => {
      const code = await codeFor('ada')
      const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
      const match = { surface: 'oauth', path: '/oauth/token' }
      await call('/_admin/faults', { body: { match, effect, times: 1 } })
      const injected = await token(exchange)
      await call('/_admin/clock/advance', { body: { by: '10m' } })
      const answer = await token({ ...exchange, ...real })
      expect({ status: injected.status, body: injected.body }).toEqual({ status: answer.status, body: answer.body })
      expect(Object.fromEntries(injected.headers)).toEqual({
        ...Object.fromEntries(answer.headers),
        date: injected.headers.get('date'),
      })
    })
  }
})

test('wire §7 "uninstall": until it is done, codes and refresh tokens work', async ({ call, token, codeFor }) => {
  const [installation] = (await call('/_admin/installations?app=notes')).body.data
  const code = await codeFor('ada')
  await call('/_admin/faults', { body: { match: { surface: 'webhook' }, effect: { delay: '1h' } } })
  const { body } = await call(`/_admin/installations/${installation.id}`, { method: 'DELETE' })
  expect(body.installation.state).toBe('uninstalling')
  expect((await token({ grant_type: 'authorization_code', code, redirect_uri: callback })).status).toBe(200)
  expect((await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })).status).toBe(200)
})

test('control-api: the journal says whose token a request is about', async ({ call, token, codeFor }) => {
  await token({ grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri: 'http://other.test' })
  const [refused] = (await call('/_admin/requests?path=/oauth/token')).body.data
  expect(refused).toMatchObject({ status: 400, app: 'notes', organization: 'acme', user: 'ada' })
})

describe('wire §6: a code', () => {
  test('works once; used twice it is invalid_grant, and what the first use brought is revoked', async ({
    token,
    codeFor,
    call,
    reason,
  }) => {
    const code = await codeFor('ada')
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const first = await token(exchange)
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token })
    expect(refreshed.status).toBe(200)
    const second = await token(exchange)
    const error_description = 'The authorization code has been used already'
    expect(second).toMatchObject({ status: 400, body: { error: 'invalid_grant', error_description } })
    const revoked = '3 tokens issued from it were revoked'
    expect(await reason()).toBe(`The code was used at 2026-01-01T00:00:00.000Z; ${revoked}`)
    const after = await token({ grant_type: 'refresh_token', refresh_token: refreshed.body.refresh_token })
    expect(after.body.error).toBe('invalid_grant')
    expect(await reason()).toContain('revoked at 2026-01-01T00:00:00.000Z: its authorization code was used twice')
    const again = { ...exchange, code: await codeFor('ada') }
    await call('/_admin/tokens/revoke', { body: { token: (await token(again)).body.access_token } })
    await token(again)
    expect(await reason()).toMatch(/; 1 token issued from it was revoked$/)
    expect((await call('/_admin/tokens?grant=authorize&state=active')).body.data).toEqual([])
    expect((await call('/v0/elements', { as: 'at_acme' })).status).not.toBe(401)
  })

  test('expires after 10 minutes', async ({ token, codeFor, call, reason }) => {
    const [late, early] = [await codeFor('ada'), await codeFor('ada')]
    await call('/_admin/clock/advance', { body: { by: 599_999 } })
    const exchange = { grant_type: 'authorization_code', redirect_uri: callback }
    expect((await token({ ...exchange, code: early })).status).toBe(200)
    await call('/_admin/clock/advance', { body: { by: 1 } })
    expect((await token({ ...exchange, code: late })).body).toEqual({
      error: 'invalid_grant',
      error_description: 'The authorization code has expired',
    })
    expect(await reason()).toBe('The code expired at 2026-01-01T00:10:00.000Z')
  })

  test('used again after it has expired, it still ends what the first use brought', async ({
    token,
    codeFor,
    call,
  }) => {
    const exchange = { grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri: callback }
    expect((await token(exchange)).status).toBe(200)
    await call('/_admin/clock/advance', { body: { by: '10m' } })
    expect((await token(exchange)).body.error_description).toBe('The authorization code has been used already')
    expect((await call('/_admin/tokens?grant=authorize&state=active')).body.data).toEqual([])
  })

  describe('with the setting code_ttl', () => {
    test.override({ settings: { codeTtl: '30s' } })
    test('expires when that says', async ({ token, codeFor, call }) => {
      const code = await codeFor('ada')
      await call('/_admin/clock/advance', { body: { by: '30s' } })
      expect((await token({ grant_type: 'authorization_code', code, redirect_uri: callback })).body.error).toBe(
        'invalid_grant',
      )
    })
  })

  test("another app's code is invalid_grant and is not used up", async ({ token, codeFor, reason }) => {
    const code = await codeFor('ada')
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const steal = () => token({ ...exchange, client_id: 'app_duo', client_secret: 'duo_secret' })
    const refused = { error: 'invalid_grant', error_description: 'The authorization code is not valid' }
    expect((await steal()).body).toEqual(refused)
    expect(await reason()).toContain('The code was issued to the app notes, not to duo')
    const { status, body } = await token(exchange)
    expect(status).toBe(200)
    // Only its own app can use it twice, and so end what it brought.
    expect((await steal()).body).toEqual(refused)
    expect((await token({ grant_type: 'refresh_token', refresh_token: body.refresh_token })).status).toBe(200)
  })

  test('another redirect_uri than that of the request is invalid_grant', async ({ token, codeFor, reason }) => {
    const code = await codeFor('ada')
    const exchange = { grant_type: 'authorization_code', code }
    expect((await token({ ...exchange, redirect_uri: `${callback}/` })).body).toEqual({
      error: 'invalid_grant',
      error_description: 'The redirect_uri does not match the authorization request',
    })
    const sent = `The code was requested with redirect_uri ${callback}; the token request has ${callback}/`
    expect(await reason()).toBe(sent)
    expect((await token({ ...exchange, redirect_uri: callback })).status).toBe(200)
  })

  test('of many exchanges at once exactly one wins', async ({ token, codeFor }) => {
    const code = await codeFor('ada')
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const answers = await Promise.all(Array.from({ length: 10 }, () => token(exchange)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(9)
  })

  test('of a user who left the organization says so', async ({ token, codeFor, call, reason }) => {
    const [code, other] = [await codeFor('ada'), await codeFor('bob')]
    await call('/_admin/organizations/acme/members/ada', { method: 'DELETE' })
    const { body } = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
    expect(body).toEqual({ error: 'invalid_grant', error_description: 'The authorization code is not valid' })
    expect(await reason()).toBe('The user ada@acme.test is no longer a member of the organization acme')
    const kept = await token({ grant_type: 'authorization_code', code: other, redirect_uri: callback })
    expect(kept.status).toBe(200)
  })

  test('of a user who left and came back says that it was revoked, also when the clock is set back', async ({
    token,
    codeFor,
    call,
    reason,
  }) => {
    const code = await codeFor('ada')
    await call('/_admin/clock/advance', { body: { by: '1m' } })
    await call('/_admin/organizations/acme/members/ada', { method: 'DELETE' })
    await call('/_admin/organizations/acme/members/ada', { method: 'PUT', body: { role: 'learner' } })
    for (const at of ['2026-01-01T00:02:00Z', '2026-01-01T00:00:30Z']) {
      await call('/_admin/clock/freeze', { body: { at } })
      const { body } = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
      expect(body).toEqual({ error: 'invalid_grant', error_description: 'The authorization code is not valid' })
      expect(await reason()).toBe('The code was revoked at 2026-01-01T00:01:00.000Z: the user left the organization')
    }
  })

  test('that had expired before its user left has expired', async ({ token, codeFor, call, reason }) => {
    const code = await codeFor('ada')
    await call('/_admin/clock/advance', { body: { by: '11m' } })
    await call('/_admin/organizations/acme/members/ada', { method: 'DELETE' })
    await call('/_admin/organizations/acme/members/ada', { method: 'PUT', body: { role: 'learner' } })
    const { body } = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
    expect(body).toEqual({ error: 'invalid_grant', error_description: 'The authorization code has expired' })
    expect(await reason()).toBe('The code expired at 2026-01-01T00:10:00.000Z')
  })

  test('that is unused ends with its installation', async ({ token, codeFor, call }) => {
    const code = await codeFor('ada', { client_id: 'app_duo', redirect_uri: 'https://duo.test/cb', scope: 'openid' })
    const { body } = await call('/_admin/installations?app=duo')
    await call(`/_admin/installations/${body.data[0].id}`, { method: 'DELETE' })
    const answer = await token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://duo.test/cb',
      client_id: 'app_duo',
      client_secret: 'duo_secret',
    })
    expect(answer.body).toEqual({ error: 'invalid_grant', error_description: 'The authorization code is not valid' })
    const [entry] = (await call('/_admin/requests?path=/oauth/token')).body.data
    expect(entry.reason).toBe('The installation it was granted through is uninstalled')
  })
})

describe('wire §6: PKCE', () => {
  const verifier = 'a-verifier-of-at-least-forty-three-characters-0'
  const s256 = createHash('sha256').update(verifier).digest('base64url')
  const missing = 'the code_verifier is missing: the code was requested with a code_challenge'
  const mismatch = 'the code_verifier does not match the code_challenge'
  const needless = 'a code_verifier was sent for a code that was requested without a code_challenge'
  const method = (code_challenge_method: string, code_challenge = s256) => ({ code_challenge, code_challenge_method })
  const cases: [name: string, challenge: Record<string, string>, verifier: string | undefined, issue?: string][] = [
    ['S256 with its verifier', method('S256'), verifier],
    ['S256 with another verifier', method('S256'), `${verifier}x`, `${mismatch} (S256)`],
    ['S256 without a verifier', method('S256'), undefined, missing],
    ['S256 with the challenge for a verifier', method('S256'), s256, `${mismatch} (S256)`],
    ['plain with its verifier', method('plain', verifier), verifier],
    ['plain with another verifier', method('plain', verifier), `${verifier}x`, `${mismatch} (plain)`],
    ['no method means plain', { code_challenge: verifier }, verifier],
    ['no challenge and no verifier', {}, undefined],
    ['no challenge, but a verifier', {}, verifier, needless],
  ]
  for (const [name, challenge, code_verifier, issue] of cases) {
    test(`${name}: ${issue === undefined ? 200 : 400}`, async ({ token, codeFor }) => {
      const code = await codeFor('ada', challenge)
      const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
      const answer = await token({ ...exchange, ...(code_verifier !== undefined && { code_verifier }) })
      expect(answer.status).toBe(issue === undefined ? 200 : 400)
      if (issue) expect(answer.body).toEqual({ error: 'invalid_grant', error_description: `PKCE: ${issue}` })
    })
  }

  const hex = createHash('sha256').update(verifier).digest('hex')
  test.for([
    [
      { code_challenge: s256 },
      '(plain). The challenge is the S256 of the verifier: send code_challenge_method=S256 with it',
    ],
    [method('S256', hex), '(S256). The challenge is the SHA-256 in hex: encode it as base64url'],
    [
      method('S256', verifier),
      '(S256). The challenge and the verifier are equal: the challenge must be the S256 of the verifier',
    ],
  ] as const)('the journal says what the challenge of %o is', async ([challenge, why], { token, codeFor, reason }) => {
    const exchange = { grant_type: 'authorization_code', code: await codeFor('ada', challenge), redirect_uri: callback }
    expect((await token({ ...exchange, code_verifier: verifier })).status).toBe(400)
    expect(await reason()).toBe(`PKCE: ${mismatch} ${why}`)
  })
})

describe('spec §3: refresh tokens', () => {
  test('the previous one is invalid at once, and presenting it again revokes nothing', async ({
    token,
    call,
    reason,
  }) => {
    const first = await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })
    const again = await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })
    const error_description = 'The refresh token has been used already'
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant', error_description } })
    expect(await reason()).toContain('was used at 2026-01-01')
    expect((await call('/v0/elements', { as: first.body.access_token })).status).not.toBe(401)
    expect((await token({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token })).status).toBe(200)
  })

  test('of many refreshes at once exactly one wins', async ({ token }) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19)
  })

  test('live 30 days, access tokens an hour', async ({ token, call, reason }) => {
    await call('/_admin/clock/advance', { body: { by: '1h' } })
    expect((await call('/v0/elements', { as: 'at_acme' })).status).toBe(401)
    await call('/_admin/clock/advance', { body: { by: 30 * 86_400_000 - 3_600_001 } })
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token: 'rt_acme' })
    expect(refreshed.status).toBe(200)
    await call('/_admin/clock/advance', { body: { by: '30d' } })
    const late = await token({ grant_type: 'refresh_token', refresh_token: refreshed.body.refresh_token })
    expect(late.body).toEqual({ error: 'invalid_grant', error_description: 'The refresh token has expired' })
    expect(await reason()).toBe('The refresh token expired at 2026-03-01T23:59:59.999Z')
  })

  test("a user's tokens end with the installation they were granted through", async ({
    token,
    codeFor,
    call,
    cookie,
  }) => {
    const client = { client_id: 'app_twice', client_secret: 'twice_secret' }
    const at = { client_id: 'app_twice', redirect_uri: 'http://127.0.0.1:3000/cb', scope: 'openid' }
    const through = async (organization: string) => {
      const code = await codeFor('ada', { ...at, organization })
      const exchange = { ...client, grant_type: 'authorization_code', code, redirect_uri: at.redirect_uri }
      return (await token(exchange)).body.refresh_token
    }
    const [globex, acme] = [await through('globex'), await through('acme')]
    await call('/_admin/installations/twice_globex', { method: 'DELETE' })
    const refresh = (refresh_token: string) => token({ ...client, grant_type: 'refresh_token', refresh_token })
    const ended = { error: 'invalid_grant', error_description: 'The refresh token was revoked' }
    expect((await refresh(globex)).body).toEqual(ended)
    expect((await refresh(acme)).status).toBe(200)
    const answer = await call(silent({ ...at, organization: 'globex' }), { headers: { cookie: await cookie('ada') } })
    expect(answer.headers.get('location')).toContain('error=interaction_required')
  })
})
