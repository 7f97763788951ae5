import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect } from 'vitest'
import { authorizePath, callback, formOf, landing, silent, sound, test } from '../harness/sign-in-test.js'

const duo = { client_id: 'app_duo', redirect_uri: 'https://duo.test/cb', scope: 'openid' }
const manifestOf = (id: string, redirect_uris: string[]) => ({
  id,
  name: id,
  version: '1.0.0',
  permissions: ['openid'],
  oauth: { authorize: { redirect_uris } },
})
const twice = { client_id: 'app_twice', redirect_uri: 'http://127.0.0.1:3000/cb', scope: 'openid' }

describe('spec §3: an authorization request with prompt=none', () => {
  const descriptions: Record<string, string> = {
    login_required: 'The user is not signed in',
    interaction_required: 'The app is not installed for the user, or the organization cannot be used',
  }
  test('signed in, app installed: redirects at once with code and state, and nothing else', async ({
    call,
    cookie,
  }) => {
    const answer = await call(silent(), { headers: { cookie: await cookie('ada') } })
    expect(answer.status).toBe(302)
    expect(landing(answer).target).toBe(callback)
    expect(landing(answer).query).toEqual({ code: expect.stringMatching(/^.{43,}$/), state: 'xyz' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  const rows: [name: string, user: string | undefined, changes: Record<string, string | undefined>, error: string][] = [
    ['not signed in', undefined, {}, 'login_required'],
    ['not signed in, pinned to a foreign organization', undefined, { organization: 'zenith' }, 'login_required'],
    ["installed in none of the user's organizations", 'zoe', {}, 'interaction_required'],
    ['a user without organizations', 'nia', {}, 'interaction_required'],
    ['not a member of the pinned organization', 'ada', { organization: 'zenith' }, 'interaction_required'],
    ['not installed in the pinned organization', 'ada', { organization: 'globex' }, 'interaction_required'],
    ['an organization that does not exist', 'ada', { organization: 'nowhere' }, 'interaction_required'],
    ['an undeclared scope', 'ada', { scope: 'openid payments' }, 'invalid_scope'],
    ['an undeclared scope, not signed in: the scope is checked first', undefined, { scope: 'x' }, 'invalid_scope'],
    ['an install scope that the manifest declares', 'ada', { scope: 'openid elements:read' }, 'invalid_scope'],
    [
      'no response_type, with a bad scope: the shape is checked first',
      'ada',
      { response_type: undefined, scope: 'x' },
      'invalid_request',
    ],
    ['sign-in is checked before the installation', undefined, { organization: 'globex' }, 'login_required'],
  ]
  for (const [name, user, changes, error] of rows) {
    test(`${name}: ${error}`, async ({ call, cookie }) => {
      const headers: Record<string, string> = user === undefined ? {} : { cookie: await cookie(user) }
      const answer = await call(silent(changes), { headers })
      expect(answer.status).toBe(302)
      expect(landing(answer).target).toBe(callback)
      const error_description = descriptions[error] ?? expect.any(String)
      expect(landing(answer).query).toEqual({ error, error_description, state: 'xyz' })
    })
  }

  test('pinned to one of several organizations: the code is for that one', async ({ codeFor, token, call }) => {
    for (const organization of ['acme', 'globex']) {
      const code = await codeFor('ada', { ...twice, organization })
      await token({
        grant_type: 'authorization_code',
        code,
        redirect_uri: twice.redirect_uri,
        client_id: 'app_twice',
        client_secret: 'twice_secret',
      })
      const { body } = await call(`/_admin/tokens?app=twice&organization=${organization}`)
      expect(body.data).toHaveLength(2)
      expect(body.data[0]).toMatchObject({ user: 'ada', grant: 'authorize', installation: `twice_${organization}` })
    }
  })

  test('not pinned, several qualify: the oldest installation', async ({ codeFor, token, call }) => {
    const code = await codeFor('bob', twice)
    await token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: twice.redirect_uri,
      client_id: 'app_twice',
      client_secret: 'twice_secret',
    })
    expect((await call('/_admin/tokens?app=twice')).body.data[0].organization).toBe('globex')
  })
})

describe('wire §6: other errors redirect with error, error_description, state and nothing else', () => {
  const rows: [name: string, changes: Record<string, string | undefined>, error: string][] = [
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['an empty response_type', { response_type: '' }, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['no scope', { scope: undefined }, 'invalid_request'],
    ['an empty scope', { scope: ' ' }, 'invalid_request'],
    ['an undeclared scope, interactively', { scope: 'openid payments' }, 'invalid_scope'],
    ['an install scope', { scope: 'elements:read' }, 'invalid_scope'],
    ['a scope in another case', { scope: 'OpenID' }, 'invalid_scope'],
    ['prompt=login', { prompt: 'login' }, 'invalid_request'],
    ['prompt=consent', { prompt: 'consent' }, 'invalid_request'],
    ['prompt=none login', { prompt: 'none login' }, 'invalid_request'],
    ['a challenge method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    [
      'an unknown challenge method',
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'S512' },
      'invalid_request',
    ],
    ['response_mode=fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ]
  for (const [name, changes, error] of rows) {
    test(`${name}: ${error}`, async ({ call, cookie }) => {
      const browsers: Record<string, string>[] = [{}, { cookie: await cookie('ada') }]
      for (const headers of browsers) {
        const answer = await call(authorizePath(changes), { headers })
        expect(answer.status).toBe(302)
        expect(landing(answer).target).toBe(callback)
        expect(landing(answer).query).toEqual({ error, error_description: expect.any(String), state: 'xyz' })
        expect(landing(answer).query.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
      }
    })
  }

  test('every undeclared scope is named, and the journal says which of them a manifest can declare', async ({
    call,
    cookie,
    reason,
  }) => {
    const headers = { cookie: await cookie('ada') }
    const undeclared = "Not declared as identity permissions in the app's manifest:"
    const description = async (changes: Record<string, string>) =>
      landing(await call(silent(changes), { headers })).query.error_description
    expect(await description({ scope: 'openid payments grades' })).toBe(`${undeclared} payments grades`)
    const names = 'expected one of openid, profile, email'
    expect(await reason()).toBe(
      `invalid_scope: ${undeclared} payments grades. The platform has no scope payments; ${names}`,
    )

    const manifest = manifestOf('sign', ['https://sign.test/cb'])
    await call('/_admin/apps', { body: { client_id: 'app_sign', manifest } })
    const sign = { client_id: 'app_sign', redirect_uri: 'https://sign.test/cb', scope: 'openid profile email' }
    expect(await description(sign)).toBe(`${undeclared} profile email`)
    const cure = '. Add profile, email to its permissions, and push it'
    expect(await reason()).toBe(`invalid_scope: ${undeclared} profile email${cure}`)

    const lower = { ...manifest, version: '0.9.0', permissions: ['openid', 'profile', 'email'] }
    await call('/_admin/apps/sign/manifest', { method: 'PUT', body: lower })
    expect(await description(sign)).toBe(`${undeclared} profile email`)
    expect(await reason()).toBe(
      `invalid_scope: ${undeclared} profile email. Version 0.9.0, which was pushed last, has it, but is lower than 1.0.0: raise it, push it and upgrade`,
    )
  })

  test.for([
    ['openid,profile', 'Separate scopes by a space, encoded once'],
    ['openid+profile', 'Separate scopes by a space, encoded once'],
    ['openid%20profile', 'Separate scopes by a space, encoded once'],
    ['openid emial', 'The platform has no scope emial; did you mean "email"\\?'],
    ['openid offline_access', 'The platform has no scope offline_access: every code brings a refresh token'],
    ['openid elements:read', 'User tokens never have the install scopes: elements:read'],
  ] as const)('the journal says what to do about the scope "%s"', async ([scope, cure], { call, reason }) => {
    expect(landing(await call(silent({ scope }))).query.error).toBe('invalid_scope')
    expect(await reason()).toMatch(new RegExp(`^invalid_scope: Not declared .*: [^.]*\\. ${cure}$`))
  })

  test('the journal says that a code_challenge is base64, not base64url', async ({ call, reason }) => {
    const characters = 'must have 43 to 128 characters of A-Z, a-z, 0-9, "-", ".", "_" and "~"'
    const cure = ': encode it as base64url without padding'
    for (const [code_challenge, why] of [
      [`${'x'.repeat(43)}=`, cure],
      [`+/${'x'.repeat(41)}`, cure],
      ['x'.repeat(42), ''],
    ] as const) {
      expect(landing(await call(silent({ code_challenge }))).query.error).toBe('invalid_request')
      expect(await reason()).toBe(`invalid_request: The code_challenge ${characters}${why}`)
    }
  })

  test('the journal says that there is no such organization, and which the user has', async ({
    call,
    cookie,
    reason,
  }) => {
    for (const [user, has] of [
      ['ada', 'ada@acme.test is a member of acme, globex'],
      ['nia', 'nia@nowhere.test is a member of none'],
    ] as const) {
      const headers = { cookie: await cookie(user) }
      const { error } = landing(await call(silent({ organization: 'ACME' }), { headers })).query
      expect(error).toBe('interaction_required')
      expect(await reason()).toBe(`interaction_required: There is no organization with the slug "ACME"; ${has}`)
    }
  })

  for (const state of [undefined, '']) {
    test(`${state === '' ? 'an empty' : 'no'} state: invalid_request, and no state`, async ({ call }) => {
      const answer = await call(authorizePath({ state }))
      const error_description = 'The parameter state is missing'
      expect(landing(answer).query).toEqual({ error: 'invalid_request', error_description })
    })
  }

  const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
  const once = { ...sound, ...challenge, prompt: 'none', organization: 'acme', nonce: 'n', response_mode: 'query' }
  const { client_id, redirect_uri, ...repeatable } = once
  for (const [name, value] of Object.entries(repeatable)) {
    test(`${name} twice, though the same: invalid_request`, async ({ call, cookie }) => {
      const headers = { cookie: await cookie('ada') }
      expect(landing(await call(authorizePath(once), { headers })).query).toHaveProperty('code')
      const answer = await call(`${authorizePath(once)}&${name}=${encodeURIComponent(value)}`, { headers })
      expect(landing(answer).query).toMatchObject({
        error: 'invalid_request',
        error_description: `The parameter ${name} is given more than once`,
      })
      // Of two states neither is the one.
      expect(landing(answer).query.state).toBe(name === 'state' ? undefined : 'xyz')
    })
  }

  test('an error_description holds printable ASCII without quotes and backslashes', async ({ call }) => {
    const { error_description } = landing(await call(silent({ scope: 'ü"\\' }))).query
    expect(error_description).toMatch(/: \?''$/)
  })

  test('a scope that is asked for twice is granted once', async ({ codeFor, token }) => {
    const code = await codeFor('ada', { scope: 'openid  email openid' })
    const { body } = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
    expect(body.scope).toBe('openid email')
  })

  test('parameters that are not known are ignored', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const answer = await call(silent({ login_hint: 'ada', max_age: '1', ui_locales: 'de' }), { headers })
    expect(landing(answer).query).toHaveProperty('code')
  })

  test('POST is 405', async ({ call }) => {
    const answer = await call('/oauth/authorize', { form: sound })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  })
})

describe('wire §6: what is never redirected', () => {
  const rows: [name: string, changes: Record<string, string | undefined>, says: RegExp][] = [
    ['no client_id', { client_id: undefined }, /no client_id/],
    ['an unknown client', { client_id: 'nobody' }, /no app with the client_id/],
    ['the manifest id for a client_id', { client_id: 'notes' }, /no app with the client_id/],
    ['an app without oauth.authorize', { client_id: 'app_sync' }, /does not declare oauth\.authorize/],
    ['an empty client_id', { client_id: '' }, /no client_id/],
    ['no redirect_uri', { redirect_uri: undefined }, /no redirect_uri/],
    ['an empty redirect_uri', { redirect_uri: '' }, /no redirect_uri/],
    ['a slash too many', { redirect_uri: `${callback}/` }, /slash at the end that is not registered.*character 31/s],
    ['another path', { redirect_uri: 'http://localhost:3000/callbacks' }, /character 31/],
    ['another port', { redirect_uri: 'http://localhost:3001/callback' }, /the port/],
    ['https for http', { redirect_uri: 'https://localhost:3000/callback' }, /http and https/],
    ['a space at the end', { redirect_uri: `${callback} ` }, /has white space that is not registered.*character 31/s],
    ['a dot in the path', { redirect_uri: 'http://localhost:3000/./callback' }, /They differ: at character 23 /],
    ['127.0.0.1 for localhost', { redirect_uri: 'http://127.0.0.1:3000/callback' }, /the host name/],
    ['another case', { redirect_uri: 'http://localhost:3000/Callback' }, /upper and lower case/],
    ['a query that is not registered', { redirect_uri: `${callback}?a=1` }, /the query must be registered/],
    ['a fragment', { redirect_uri: `${callback}#x` }, /what follows the path: a redirect URI has no fragment/],
    ['percent-encoding', { redirect_uri: 'http://localhost:3000/%63allback' }, /percent-encoding/],
    ['credentials in it', { redirect_uri: 'http://localhost:3000@evil.test/callback' }, /character 22/],
    ["another app's", { redirect_uri: 'https://duo.test/cb' }, /localhost:3000\/callback/],
    ['a name instead of a URL', { redirect_uri: 'callback' }, /They differ: at character 1 /],
    ['an escape that is none', { redirect_uri: 'http://localhost:3000/%zz' }, /They differ: at character 23 /],
  ]
  for (const [name, changes, says] of rows) {
    test(`${name}: an error page, 400`, async ({ call, cookie, reason }) => {
      for (const path of [authorizePath(changes), silent(changes)]) {
        const answer = await call(path, { headers: { cookie: await cookie('ada') } })
        expect(answer.status).toBe(400)
        expect(answer.headers.has('location')).toBe(false)
        expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(answer.text).toMatch(says)
        expect(await reason()).toMatch(says)
      }
    })
  }

  test('a slash too few: the page says so', async ({ call, reason }) => {
    const oauth = { authorize: { redirect_uris: ['https://duo.test/new/'] } }
    const manifest = { id: 'duo', name: 'Duo', version: '3.0.0', permissions: ['openid'], oauth }
    await call('/_admin/apps/duo/manifest', { method: 'PUT', body: manifest })
    const { text } = await call(authorizePath({ client_id: 'app_duo', redirect_uri: 'https://duo.test/new' }))
    expect(text).toContain('The slash at the end is missing in the request')
    expect(await reason()).toContain('The slash at the end is missing in the request')
  })

  test('the journal says where the request and the closest redirect URI part', async ({ call, reason }) => {
    const uris = [
      'https://odd.test/callback/of/another',
      'https://odd.test/c',
      'https://odd.test/%zz',
      'https://localhostx/login',
      'http://localhost/cb',
      'http://localhost/registered?a=1',
    ]
    const body = { client_id: 'app_odd', manifest: manifestOf('odd', uris) }
    expect((await call('/_admin/apps', { body })).status).toBe(201)
    const refused = 'The redirect_uri is not one that the app has registered; it must match exactly.'
    const rows = [
      [
        'https://localhost/cb',
        'http://localhost/cb',
        'They differ in http and https',
        5,
        'goes on with "s://localhost/cb"',
        'goes on with "://localhost/cb"',
      ],
      ['https://odd.test/cc', 'https://odd.test/c', 'They differ', 19, 'goes on with "c"', 'ends'],
      ['https://odd.test/callback', 'https://odd.test/c', 'They differ', 19, 'goes on with "allback"', 'ends'],
      [
        'https://odd.test/callback/of',
        'https://odd.test/callback/of/another',
        'They differ',
        29,
        'ends',
        'goes on with "/another"',
      ],
      [
        'https://localhostx/a-long-name-of-a-path',
        'https://localhostx/login',
        'They differ',
        20,
        'goes on with "a-long-name-of-a"',
        'goes on with "login"',
      ],
      [
        'http://localhost/registered',
        'http://localhost/registered?a=1',
        'They differ in what follows the path: the request lacks the query that is registered',
        28,
        'ends',
        'goes on with "?a=1"',
      ],
      ['https://odd.test/%zy', 'https://odd.test/%zz', 'They differ', 20, 'goes on with "y"', 'goes on with "z"'],
    ] as const
    for (const [sent, registered, slip, position, ends, other] of rows) {
      await call(authorizePath({ client_id: 'app_odd', redirect_uri: sent }))
      const where = `at character ${position} the request ${ends} where the registered one ${other}`
      expect(await reason()).toBe(`${refused} Sent: ${sent}. Closest registered: ${registered}. ${slip}: ${where}.`)
    }
  })

  test('the journal says what was sent in place of the client_id; the page does not', async ({ call, reason }) => {
    for (const [client_id, hint] of [
      ['notes', 'is the id of an app whose client_id is app_notes'],
      ['undefined', 'is the text "undefined": the variable that it is read from has no value'],
    ] as const) {
      const { text } = await call(authorizePath({ client_id }))
      expect(text).not.toContain(hint)
      expect(await reason()).toBe(`There is no app with the client_id "${client_id}". The client_id ${hint}`)
    }
  })

  test('the journal says that a newer version allows the request', async ({ call, cookie, reason, emulator }) => {
    const push = async (version: string, redirect_uri: string) => {
      const oauth = { authorize: { redirect_uris: [callback, redirect_uri] } }
      const body = { id: 'notes', name: 'Notes', version, permissions: ['openid', 'profile', 'email'], oauth }
      expect((await call('/_admin/apps/notes/manifest', { method: 'PUT', body })).status).toBe(200)
    }
    const signIn = async (redirect_uri: string) =>
      call(silent({ redirect_uri }), { headers: { cookie: await cookie('ada') } })
    await push('8.0.0', 'https://old.test/cb')
    await call('/_admin/installations', { body: { app: 'notes', organization: 'zenith' } })
    await push('9.0.0', 'https://new.test/cb')
    await signIn('https://old.test/cb')
    expect(await reason()).toMatch(/is installed in acme\. Sent: /)
    await signIn('https://new.test/cb')
    const [{ version, organization }] = (await call('/_admin/installations?app=notes')).body.data
    const command = `mockademy upgrade notes ${organization} --url ${emulator.url}`
    expect(await reason()).toBe(
      `The redirect_uri is not registered in version ${version}, which is installed in ${organization}. Version 9.0.0 has it, but ${organization} has version ${version}: ${command}`,
    )
  })

  test('the page names the registered redirect URI that is closest', async ({ call }) => {
    const changes = { client_id: 'app_duo', redirect_uri: 'https://duo.test/cb2?keep=1' }
    const { text } = await call(authorizePath(changes))
    expect(text).toContain('https://duo.test/cb2?keep=1&amp;x=%20')
    expect(text).toContain('character 28')
  })

  for (const name of ['client_id', 'redirect_uri']) {
    test(`${name} twice: an error page`, async ({ call }) => {
      const answer = await call(`${authorizePath()}&${name}=x`)
      expect(answer.status).toBe(400)
      expect(answer.text).toContain(`more than one ${name}`)
    })
  }

  test('what is sent is text on the page', async ({ call }) => {
    const answer = await call(authorizePath({ client_id: '<script>alert(1)</script>' }))
    expect(answer.text).not.toContain('<script>')
    expect(answer.text).toContain('&lt;script&gt;')
  })
})

describe('spec §4.8: state and redirect_uri come back as they were', () => {
  const states = [
    'a b+c%2Fd',
    'é😀',
    '%FF%fe',
    'x=1;y=2,z',
    '%0d%0aSet-Cookie:%20evil=1',
    '%00',
    "<script>'",
    '%E2%80%A8',
    'a'.repeat(4000),
    '%zz%',
    '{"json":[1]}',
  ]
  for (const raw of states) {
    test(`the state ${raw.slice(0, 30)}, byte for byte`, async ({ call, cookie }) => {
      const query = new URL(authorizePath({ state: undefined, prompt: 'none' }), 'http://x').search
      const answer = await call(`/oauth/authorize${query}&state=${raw}`, { headers: { cookie: await cookie('ada') } })
      expect(answer.status).toBe(302)
      expect(answer.headers.has('set-cookie')).toBe(false)
      const location = answer.headers.get('location') ?? ''
      expect(location).toMatch(/^[\x21-\x7e]+$/)
      const echoed = location.split('&state=')[1] ?? ''
      expect(bytesOf(echoed)).toEqual(bytesOf(raw))
    })
  }

  test('the journal has the redirect as it was sent, without the code', async ({ call, cookie }) => {
    const shown = async (headers: Record<string, string>) => {
      const path = silent({ state: undefined, scope: 'openid' })
      const answer = await call(`${path}&state=a%25b+c~d`, { headers })
      const [entry] = (await call('/_admin/requests?path=/oauth/authorize')).body.data.slice(-1)
      return [landing(answer).location, entry.response.headers.location]
    }
    const [failed, journaled] = await shown({})
    expect(failed).toMatch(/error_description=The%20user%20.*&state=a%25b\+c~d$/)
    expect(journaled).toBe(failed)
    const [, hidden] = await shown({ cookie: await cookie('ada') })
    expect(hidden).toMatch(/\?code=%5Bredacted%5D&state=a%25b\+c~d$/)
  })

  test('a state as no browser would send it: what an address may not hold is escaped', async ({ emulator }) => {
    const path = `${silent({ state: undefined })}&state=%3D"<>\\^\`{|}`
    const sent = request(`${emulator.url}/`, { path }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.headers.location).toMatch(/&state=%3D%22%3C%3E%5C%5E%60%7B%7C%7D$/)
  })

  test('a redirect_uri outside of ASCII comes back with its host in Punycode and the rest percent-encoded', async ({
    call,
  }) => {
    const redirect_uri = 'https://u:p@ünï.test:443/über\x01?q=日本'
    const { body } = await call('/_admin/apps', { body: { manifest: manifestOf('odd', [redirect_uri]) } })
    const answer = await call(silent({ client_id: body.client_id, redirect_uri, scope: 'openid' }))
    expect(answer.status).toBe(302)
    const location = answer.headers.get('location') ?? ''
    expect(
      location.startsWith('https://u:p@xn--n-nga1b.test:443/%C3%BCber%01?q=%E6%97%A5%E6%9C%AC&error=login_required&'),
    ).toBe(true)
  })

  test.for(['https://odd.test/?', 'https://odd.test/?a=1&', 'https://odd.test/?a=1'])(
    'the answer is added to %s',
    async (redirect_uri, { call }) => {
      const manifest = manifestOf('odd', [redirect_uri])
      const { client_id } = (await call('/_admin/apps', { body: { manifest } })).body
      const { location } = landing(await call(silent({ client_id, redirect_uri, scope: 'openid' })))
      const joint = redirect_uri.endsWith('1') ? '&' : ''
      expect(location.startsWith(`${redirect_uri}${joint}error=login_required&`)).toBe(true)
    },
  )

  test('a state whose name is written with escapes comes back, and no parameter that begins with it', async ({
    call,
  }) => {
    const answer = await call(`${silent({ state: undefined })}&states&st%61te=a%20b`)
    expect(landing(answer).location).toMatch(/&state=a%20b$/)
  })

  test('a redirect_uri with a query of its own keeps it', async ({ call, cookie }) => {
    const redirect_uri = 'https://duo.test/cb2?keep=1&x=%20'
    const headers = { cookie: await cookie('ada') }
    const answer = await call(silent({ client_id: 'app_duo', redirect_uri, scope: 'email' }), { headers })
    expect(answer.status).toBe(400)
    const refused = await call(silent({ client_id: 'app_duo', redirect_uri, scope: 'payments' }))
    expect(landing(refused).location).toMatch(/^https:\/\/duo\.test\/cb2\?keep=1&x=%20&error=invalid_scope&/)
  })
})

/** The bytes that a form decoder sees. */
function bytesOf(text: string): number[] {
  const bytes: number[] = []
  const source = Buffer.from(text, 'utf8')
  for (let index = 0; index < source.length; index++) {
    const hex = /^%([0-9a-f]{2})/i.exec(source.subarray(index, index + 3).toString('latin1'))?.[1]
    bytes.push(hex === undefined ? (source[index] as number) : Number.parseInt(hex, 16))
    if (hex !== undefined) index += 2
  }
  return bytes
}

describe('wire §6: which manifest counts', () => {
  test('a scope of the newest version alone passes until an organization is chosen', async ({ call, cookie }) => {
    const path = silent({ ...duo, scope: 'openid email' })
    expect(landing(await call(path)).query.error).toBe('login_required')
    const answer = await call(path, { headers: { cookie: await cookie('ada') } })
    expect(landing(answer).query).toMatchObject({
      error: 'invalid_scope',
      error_description:
        "Not declared as identity permissions in the app's manifest: email (in version 1.0.0, which is installed in acme)",
    })
  })

  test('a redirect URI of the newest version alone: the error page once the organization is known', async ({
    call,
    cookie,
  }) => {
    const path = silent({ ...duo, redirect_uri: 'https://duo.test/cb2?keep=1&x=%20' })
    expect(landing(await call(path)).query.error).toBe('login_required')
    const answer = await call(path, { headers: { cookie: await cookie('ada') } })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('https://duo.test/cb')
    expect(answer.text).toContain('is not registered in version 1.0.0, which is installed in acme')
  })

  test('the newest is the highest version, not the one that was pushed last', async ({ call }) => {
    const push = (version: string, path: string) => {
      const oauth = { authorize: { redirect_uris: [`https://duo.test/${path}`] } }
      const manifest = { id: 'duo', name: 'Duo', version, permissions: ['openid'], oauth }
      return call('/_admin/apps/duo/manifest', { method: 'PUT', body: manifest })
    }
    await push('4.0.0', 'four')
    await push('3.9.0', 'three')
    const at = (path: string) => silent({ ...duo, redirect_uri: `https://duo.test/${path}` })
    expect(landing(await call(at('four'))).query.error).toBe('login_required')
    expect((await call(at('three'))).status).toBe(400)
  })

  test('an upgrade makes both count', async ({ call, cookie }) => {
    const { body } = await call('/_admin/installations?app=duo')
    await call(`/_admin/installations/${body.data[0].id}/upgrade`, { body: {} })
    const answer = await call(silent({ ...duo, scope: 'openid email' }), { headers: { cookie: await cookie('ada') } })
    expect(landing(answer).query).toHaveProperty('code')
  })

  test('what only an older version declares counts as long as that is installed', async ({ call, cookie }) => {
    const manifest = {
      id: 'duo',
      name: 'Duo',
      version: '3.0.0',
      permissions: ['openid'],
      oauth: { authorize: { redirect_uris: ['https://duo.test/new'] } },
    }
    await call('/_admin/apps/duo/manifest', { method: 'PUT', body: manifest })
    const headers = { cookie: await cookie('ada') }
    expect(landing(await call(silent(duo), { headers })).query).toHaveProperty('code')
    const { body } = await call('/_admin/installations?app=duo')
    await call(`/_admin/installations/${body.data[0].id}`, { method: 'DELETE' })
    expect((await call(silent(duo), { headers })).status).toBe(400)
  })
})

describe('wire §6: interactive requests', () => {
  test('not signed in: to /login, and back to the same request', async ({ call }) => {
    const path = authorizePath({ state: 'a b&c' })
    const answer = await call(path)
    expect(answer.status).toBe(302)
    const { target, query } = landing(answer)
    expect(target).toBe('/login')
    expect(query.return_to).toBe(path)
    const login = await call(landing(answer).location)
    const { action, fields } = formOf(login.text)
    const signedIn = await call(action, { form: { ...fields, user: 'ada' } })
    expect(signedIn.status).toBe(303)
    expect(signedIn.headers.get('location')).toBe(path)
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] as string
    expect((await call(path, { headers: { cookie } })).status).toBe(200)
  })

  test('consent is asked every time, and Allow brings code and state', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    for (const _ of [1, 2]) {
      const asked = await call(authorizePath(), { headers })
      expect(asked.status).toBe(200)
      expect(asked.text).toContain('Sign in to Notes')
      const { action, fields } = formOf(asked.text)
      const allowed = await call(action, { form: { ...fields, decision: 'allow' }, headers })
      expect(allowed.status).toBe(303)
      expect(landing(allowed).target).toBe(callback)
      expect(landing(allowed).query).toEqual({ code: expect.any(String), state: 'xyz' })
    }
  })

  test('Deny brings access_denied', async ({ call, cookie, reason }) => {
    const headers = { cookie: await cookie('ada') }
    const { action, fields } = formOf((await call(authorizePath(), { headers })).text)
    const denied = await call(action, { form: { ...fields, decision: 'deny' }, headers })
    expect(landing(denied).query).toEqual({
      error: 'access_denied',
      error_description: 'The user denied the request',
      state: 'xyz',
    })
    expect(await reason()).toBe('access_denied: The user denied the request')
  })

  test('several organizations qualify: a picker, and the picked one counts', async ({ call, cookie, token }) => {
    const headers = { cookie: await cookie('ada') }
    const asked = await call(authorizePath(twice), { headers })
    expect(asked.text).toContain('Globex')
    expect(asked.text).toContain('Acme Corp')
    const { action, fields } = formOf(asked.text)
    expect(fields.organization).toBe('globex')
    const allowed = await call(action, { form: { ...fields, organization: 'acme', decision: 'allow' }, headers })
    await token({
      grant_type: 'authorization_code',
      code: landing(allowed).query.code as string,
      redirect_uri: twice.redirect_uri,
      client_id: 'app_twice',
      client_secret: 'twice_secret',
    })
    expect((await call('/_admin/tokens?app=twice')).body.data[0].organization).toBe('acme')
  })

  test('an organization that is not the person’s cannot be picked', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const { action, fields } = formOf((await call(authorizePath(twice), { headers })).text)
    const answer = await call(action, { form: { ...fields, organization: 'zenith', decision: 'allow' }, headers })
    expect(answer.status).toBe(200)
    expect(formOf(answer.text).action).toBe(action)
  })

  test('a consent form without the token of its session is refused', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const { action, fields } = formOf((await call(authorizePath(), { headers })).text)
    const other = formOf((await call(authorizePath(), { headers: { cookie: await cookie('bob') } })).text)
    for (const csrf of ['', 'x', other.fields.csrf as string]) {
      const answer = await call(action, { form: { ...fields, csrf, decision: 'allow' }, headers })
      expect(answer.status).toBe(403)
      expect(answer.headers.has('location')).toBe(false)
    }
  })

  const installForm = (organization: string) =>
    `action="/apps/notes/install">\n<input type="hidden" name="organization" value="${organization}">`

  test('not installed: a page that says so, 403, with an Install button for owners and admins', async ({
    call,
    cookie,
  }) => {
    const owner = await call(authorizePath(), { headers: { cookie: await cookie('zoe') } })
    expect(owner.status).toBe(403)
    expect(owner.headers.has('location')).toBe(false)
    expect(owner.text).toContain('not installed')
    expect(owner.text).toContain(installForm('zenith'))
    const learner = await call(authorizePath(), { headers: { cookie: await cookie('max') } })
    expect(learner.status).toBe(403)
    expect(learner.text).not.toContain('/apps/notes/install')
  })

  test('pinned to an organization of others: 403, without a button', async ({ call, cookie }) => {
    const answer = await call(authorizePath({ organization: 'zenith' }), { headers: { cookie: await cookie('ada') } })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('not a member')
    expect(answer.text).not.toContain('/install')
  })

  test('pinned to an organization where it is missing: a button for that one', async ({ call, cookie }) => {
    const answer = await call(authorizePath({ organization: 'globex' }), { headers: { cookie: await cookie('ada') } })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain(installForm('globex'))
    expect(answer.text).not.toContain('value="acme"')
  })
})
