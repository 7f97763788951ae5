import { createHash, createHmac, createPublicKey, createVerify, verify as verifySignature } from 'node:crypto'
import { startEmulator } from 'mockademy'
import { describe, expect, vi } from 'vitest'
import { send } from '../harness/emulator-test.js'
import { type CallFixture, callback, silent, test } from '../harness/sign-in-test.js'
import { signInWorld } from '../harness/worlds/sign-in.js'

const NOW = Date.UTC(2026, 0, 1) / 1000

interface Jwk {
  kty: string
  kid: string
  n: string
  e: string
}

function read(jwt: string) {
  const [header, claims, signature] = jwt.split('.') as [string, string, string]
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: json(header), claims: json(claims), signed: `${header}.${claims}`, signature }
}

function withFirstByteFlipped(jwt: string): string {
  const { signed, signature } = read(jwt)
  const bytes = Buffer.from(signature, 'base64url')
  bytes[0] = (bytes[0] as number) ^ 0xff
  return `${signed}.${bytes.toString('base64url')}`
}

/** Checks that the client secret of `notes` has signed the claims of Ada. */
function signedWithSecret(jwt: string, expected: object) {
  const { header, claims, signed, signature } = read(jwt)
  expect(header).toEqual(expected)
  expect(claims).toMatchObject({ sub: 'ada', aud: 'app_notes', nonce: 'abc' })
  expect(createHmac('sha256', 'notes_secret').update(signed).digest('base64url')).toBe(signature)
}

/** Returns true if a key of the JWKS signed the JWT. */
function isSigned(jwt: string, keys: Jwk[]): boolean {
  const { header, signed, signature } = read(jwt)
  const jwk = keys.find(({ kid }) => kid === header.kid)
  if (!jwk || header.alg !== 'RS256') return false
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  return createVerify('RSA-SHA256').update(signed).verify(key, signature, 'base64url')
}

const isNamed = (keys: Jwk[], wanted?: string) => keys.some(({ kid }) => kid === wanted)

const keysOf = async (call: CallFixture): Promise<Jwk[]> => (await call('/.well-known/jwks.json')).body.keys

const idToken = test.extend<{ idToken: (changes?: Record<string, string>, user?: string) => Promise<string> }>({
  idToken: async ({ codeFor, token }, use) => {
    await use(async (changes, user = 'ada') => {
      const code = await codeFor(user, changes)
      return (await token({ grant_type: 'authorization_code', code, redirect_uri: callback })).body.id_token
    })
  },
})

describe('wire §6: discovery and JWKS', () => {
  test('the discovery document is standard, cacheable for an hour and readable from any origin', async ({
    call,
    emulator,
  }) => {
    const { status, headers, body } = await call('/.well-known/openid-configuration')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toMatchObject({
      issuer: emulator.url,
      authorization_endpoint: `${emulator.url}/oauth/authorize`,
      token_endpoint: `${emulator.url}/oauth/token`,
      jwks_uri: `${emulator.url}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'profile', 'email'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256', 'plain'],
      claims_supported: ['sub', 'iss', 'aud', 'iat', 'exp', 'nonce', 'name', 'email', 'email_verified'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    })
    expect(body).not.toHaveProperty('userinfo_endpoint')
  })

  test('the JWKS holds public RS256 keys and nothing private', async ({ call }) => {
    const { headers, body } = await call('/.well-known/jwks.json')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(Object.keys(body)).toEqual(['keys'])
    expect(body.keys).toHaveLength(1)
    expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    expect(body.keys[0]).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256' })
    expect(Buffer.from(body.keys[0].n, 'base64url')).toHaveLength(256)
  })

  test('the issuer never depends on the Host of the request', async ({ emulator }) => {
    const port = new URL(emulator.url).port
    const { body } = await send(`http://localhost:${port}/.well-known/openid-configuration`)
    expect(body.issuer).toBe(emulator.url)
  })

  describe('wire §1: two networks', () => {
    test.override({ settings: { appUrl: 'http://platform.test:4600', browserUrl: 'http://localhost:8080/' } })
    test('a browser is sent to browser_url, everything else stays on app_url', async ({ call }) => {
      const { body } = await call('/.well-known/openid-configuration')
      expect(body).toMatchObject({
        issuer: 'http://platform.test:4600',
        authorization_endpoint: 'http://localhost:8080/oauth/authorize',
        token_endpoint: 'http://platform.test:4600/oauth/token',
        jwks_uri: 'http://platform.test:4600/.well-known/jwks.json',
      })
    })

    test('the reason of a sign-in under app_url names the cookies of browser_url', async ({ call }) => {
      await call(silent(), { headers: { host: 'platform.test:4600' } })
      expect((await call('/_admin/requests?surface=oauth')).body.data[0].reason).toMatch(
        /\. The request was sent to platform\.test, and browsers keep the cookies of localhost apart: use one host name throughout$/,
      )
    })
  })

  test('one emulator under two origins has one issuer, and signs in across them', async ({ emulator, token, call }) => {
    const { port } = new URL(emulator.url)
    await call('/_admin/sessions/ambient', { method: 'PUT', body: { user: 'ada' } })
    const asked = await send(`http://localhost:${port}${silent()}`)
    const code = new URL(asked.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const { body } = await token({ grant_type: 'authorization_code', code, redirect_uri: callback })
    expect(read(body.id_token).claims.iss).toBe(emulator.url)
  })
})

describe('spec §4.9, §5.3: the id_token', () => {
  const standard = { sub: 'ada', aud: 'app_notes', iat: NOW, exp: NOW + 3600 }
  const scopes: [scope: string, more: Record<string, unknown>][] = [
    ['openid', {}],
    ['openid profile', { name: 'Ada Owner' }],
    ['openid email', { email: 'ada@acme.test', email_verified: true }],
    ['email openid profile', { name: 'Ada Owner', email: 'ada@acme.test', email_verified: true }],
  ]
  for (const [scope, more] of scopes) {
    idToken(`has exactly the claims of ${scope}`, async ({ idToken, emulator }) => {
      const { claims } = read(await idToken({ scope }))
      expect(claims).toEqual({ ...standard, iss: emulator.url, ...more })
    })
  }

  idToken('has another nonce under wrong_nonce, where none was sent too', async ({ idToken, call }) => {
    await call('/_admin/faults', { body: { match: { surface: 'id_token' }, effect: 'wrong_nonce' } })
    expect(read(await idToken({ scope: 'openid', nonce: 'abc' })).claims.nonce).toBe('not-abc')
    expect(read(await idToken({ scope: 'openid' })).claims.nonce).toBe('not-asked-for')
  })

  idToken('has the nonce when one was sent', async ({ idToken, emulator }) => {
    const { claims } = read(await idToken({ scope: 'openid', nonce: 'n-0S6_WzA2Mj' }))
    expect(claims).toEqual({ ...standard, iss: emulator.url, nonce: 'n-0S6_WzA2Mj' })
  })

  idToken('counts parameters without a value as absent', async ({ idToken, emulator }) => {
    const empty = { nonce: '', organization: '', response_mode: '', code_challenge_method: '' }
    expect(read(await idToken({ scope: 'openid', ...empty })).claims).toEqual({ ...standard, iss: emulator.url })
  })

  idToken('counts whole seconds, under a fault too', async ({ idToken, call }) => {
    await call('/_admin/clock/advance', { body: { by: 1500 } })
    expect(read(await idToken()).claims).toMatchObject({ iat: NOW + 1, exp: NOW + 3601 })
    await call('/_admin/faults', { body: { match: { surface: 'id_token' }, effect: 'expired' } })
    expect(read(await idToken()).claims).toMatchObject({ iat: NOW + 1 - 7200, exp: NOW + 1 - 3600 })
  })

  idToken('says when an address is not verified', async ({ idToken }) => {
    expect(read(await idToken({ scope: 'openid email' }, 'bob')).claims.email_verified).toBe(false)
  })

  idToken('is signed with RS256 by a key of the JWKS', async ({ idToken, call }) => {
    const jwt = await idToken()
    expect(read(jwt).header).toEqual({ alg: 'RS256', kid: expect.any(String), typ: 'JWT' })
    expect(isSigned(jwt, await keysOf(call))).toBe(true)
  })

  describe('with the setting id_token_ttl', () => {
    idToken.override({ settings: { idTokenTtl: '5m' } })
    idToken('expires when that says', async ({ idToken }) => {
      const { claims } = read(await idToken())
      expect(claims.exp - claims.iat).toBe(300)
    })
  })
})

describe('control-api: POST /_admin/keys/rotate', () => {
  idToken('signs with a new key from then on; tokens of the earlier one still verify', async ({ idToken, call }) => {
    const before = await idToken()
    const { status, body } = await call('/_admin/keys/rotate', { method: 'POST' })
    expect(status).toBe(200)
    expect(body.retired).toEqual([])
    const after = await idToken()
    expect(read(after).header.kid).toBe(body.kid)
    expect(read(after).header.kid).not.toBe(read(before).header.kid)
    const keys = await keysOf(call)
    expect(keys).toHaveLength(2)
    expect(isSigned(before, keys)).toBe(true)
    expect(isSigned(after, keys)).toBe(true)
  })

  idToken('with retire, every earlier key is gone from the JWKS', async ({ idToken, call }) => {
    const before = await idToken()
    await call('/_admin/keys/rotate', { body: {} })
    const { body } = await call('/_admin/keys/rotate', { body: { retire: true } })
    expect(body.retired).toHaveLength(2)
    const keys = await keysOf(call)
    expect(keys.map(({ kid }) => kid)).toEqual([body.kid])
    expect(isSigned(before, keys)).toBe(false)
    expect(isSigned(await idToken(), keys)).toBe(true)
  })

  test('an unknown field is refused', async ({ call }) => {
    expect((await call('/_admin/keys/rotate', { body: { retired: true } })).status).toBe(400)
  })

  test('reset brings the keys back that were there at the start', async ({ call }) => {
    const before = await keysOf(call)
    await call('/_admin/keys/rotate', { body: { retire: true } })
    await call('/_admin/reset', { method: 'POST' })
    expect(await keysOf(call)).toEqual(before)
  })
})

idToken(
  'spec §8: an app that has cached the keys verifies id_tokens under any liberties',
  async ({ idToken, call }) => {
    const cached = await keysOf(call)
    for (const seed of ['1', '2', '3']) {
      await call('/_admin/liberties', { method: 'PUT', body: { seed, kinds: ['keys'] } })
      expect(isSigned(await idToken(), cached)).toBe(true)
    }
    const { kid: own } = (await call('/_admin/keys/rotate', { body: {} })).body
    const rotated = await keysOf(call)
    // A key that is made under liberties has another kid than its own.
    expect(isNamed(rotated, own)).toBe(false)
    expect(rotated.some(({ kid }) => isNamed(cached, kid))).toBe(true)
    await call('/_admin/liberties', { method: 'DELETE' })
    expect(isNamed(cached, (await keysOf(call)).at(-1)?.kid)).toBe(true)
    expect(isSigned(await idToken(), rotated)).toBe(true)
  },
)

describe('wire §1: signing keys', () => {
  const world = { users: [], organizations: [] }
  const jwks = async (url: string): Promise<Jwk[]> => (await send(`${url}/.well-known/jwks.json`)).body.keys

  test('no two worlds share a key, worlds with one seed do, and a world keeps its key over a reset', async () => {
    const options = [{}, {}, { seed: 'one' }, { seed: 'one' }, { seed: 'another' }]
    const emulators = await Promise.all(options.map((more) => startEmulator({ fixtures: world, ...more })))
    try {
      const [a, b, one, same, other] = await Promise.all(emulators.map(({ url }) => jwks(url)))
      expect(a?.[0]?.n).not.toBe(b?.[0]?.n)
      expect(a?.[0]?.kid).not.toBe(b?.[0]?.kid)
      expect(one).toEqual(same)
      expect(one?.[0]?.kid).not.toBe(other?.[0]?.kid)
      const { url } = emulators[0] as (typeof emulators)[number]
      await send(`${url}/_admin/reset`, { method: 'POST' })
      expect(await jwks(url)).toEqual(a)
      await send(`${url}/_admin/keys/rotate`, { method: 'POST' })
      const rotated = await jwks(url)
      expect(rotated).toHaveLength(2)
      const state = await send(`${url}/_admin/state`)
      const put = await send(`${(emulators[1] as (typeof emulators)[number]).url}/_admin/state`, {
        method: 'PUT',
        body: state.body,
      })
      expect(put.status).toBe(200)
      expect(await jwks((emulators[1] as (typeof emulators)[number]).url)).toEqual(rotated)
    } finally {
      await Promise.all(emulators.map((emulator) => emulator.close()))
    }
  })

  test('a reset in the first seconds leaves the key, also when the emulator then makes its key ahead', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      await using emulator = await startEmulator({ fixtures: world })
      const before = await jwks(emulator.url)
      await emulator.admin.reset()
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await jwks(emulator.url)).toEqual(before)
    } finally {
      vi.useRealTimers()
    }
  })

  test('an export holds the keys, also before anybody has seen them', async () => {
    await using first = await startEmulator({ fixtures: world })
    const { kid } = (await send(`${first.url}/_admin/keys/rotate`, { method: 'POST' })).body
    const state = (await send(`${first.url}/_admin/state`)).body
    await using second = await startEmulator({ fixtures: state })
    const keys = await jwks(second.url)
    expect(keys[0]?.kid).toBe(kid)
    expect(keys).toHaveLength(2)
    expect(await jwks(first.url)).toEqual(keys)
  })

  test('keys, sessions and unused codes survive a restart', async ({ store }) => {
    const before = await startEmulator({ fixtures: signInWorld, store })
    const { cookie } = (await send(`${before.url}/_admin/sessions`, { body: { user: 'ada' } })).body
    const headers = { cookie: `${cookie.name}=${cookie.value}` }
    const { port } = new URL(before.url)
    const verifier = 'v'.repeat(43)
    const pkce = {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    const codeAt = async (url: string) =>
      new URL((await send(url + silent(pkce), { headers })).headers.get('location') ?? '').searchParams.get('code') ??
      ''
    const code = await codeAt(before.url)
    const keys = await jwks(before.url)
    const { kid } = (await send(`${before.url}/_admin/keys/rotate`, { method: 'POST' })).body
    await before.close()

    await using after = await startEmulator({ store, port: Number(port) })
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id: 'app_notes',
      client_secret: 'notes_secret',
      code_verifier: verifier,
    }
    const { body } = await send(`${after.url}/oauth/token`, { form })
    expect(read(body.id_token).header.kid).toBe(kid)
    const now = await jwks(after.url)
    expect(now).toHaveLength(2)
    expect(now[1]).toEqual(keys[0])
    expect(isSigned(body.id_token, now)).toBe(true)
    expect(await codeAt(after.url)).not.toBe('')
  })

  test('an export holds codes, keys and forced results, and one whose fields are spoilt is refused', async ({
    call,
    codeFor,
  }) => {
    const challenge = 'x'.repeat(43)
    await codeFor('ada', { code_challenge: challenge, code_challenge_method: 'S256', nonce: 'n' })
    await codeFor('ada', { code_challenge: challenge })
    await codeFor('ada')
    await call('/_admin/keys/rotate', { body: { after: '1h' } })
    await call('/_admin/silent-auth', { method: 'PUT', body: { outcome: 'server_error', app: 'notes', times: 1 } })
    await call('/_admin/silent-auth', { method: 'PUT', body: { outcome: 'server_error' } })
    const exported = async () => (await call('/_admin/state')).body
    const document = await exported()
    const put = (body: object) => call('/_admin/state', { method: 'PUT', body })
    expect((await put(document)).status).toBe(200)
    const { codes, keys, silent_auth } = await exported()
    expect({ codes, keys, silent_auth }).toEqual({
      codes: document.codes,
      keys: document.keys,
      silent_auth: document.silent_auth,
    })
    for (const kind of ['codes', 'keys', 'silent_auth']) {
      const { id, created_at, ...fields } = document[kind].at(kind === 'keys' ? -1 : 0)
      const spoilt = Object.fromEntries(Object.keys(fields).map((name) => [name, ['x']]))
      const { status, body } = await put({ ...document, [kind]: [{ id, created_at, ...spoilt }] })
      expect(status).toBe(400)
      const paths = body.errors.map(({ path }: { path: string }) => path)
      expect(paths.toSorted()).toEqual(
        Object.keys(fields)
          .map((name) => `${kind}.0.${name}`)
          .toSorted(),
      )
    }
  })

  test('a key that nobody has seen may pass on; one that somebody has does not', async () => {
    const seen = new Set<string>()
    for (const _ of [1, 2, 3]) {
      const emulator = await startEmulator({ fixtures: world })
      const [key] = await jwks(emulator.url)
      await emulator.close()
      seen.add(key?.n ?? '')
      await (await startEmulator({ fixtures: world })).close()
    }
    expect(seen.size).toBe(3)
  })
})

describe('control-api: faults of id_tokens', () => {
  const withFault = (call: CallFixture, effect: unknown, match: object = {}) =>
    call('/_admin/faults', { body: { match: { surface: 'id_token', ...match }, effect, times: 1 } })

  type Check = (jwt: string, keys: Jwk[], issuer: string) => void
  const effects: [effect: unknown, check: Check][] = [
    [
      'bad_signature',
      (jwt, keys) => {
        expect(isSigned(jwt, keys)).toBe(false)
        expect(isSigned(withFirstByteFlipped(jwt), keys)).toBe(true)
      },
    ],
    ['no_kid', (jwt) => expect(read(jwt).header).toEqual({ alg: 'RS256', typ: 'JWT' })],
    ['hs256', (jwt) => signedWithSecret(jwt, { alg: 'HS256', typ: 'JWT' })],
    ['hs256_kid', (jwt) => signedWithSecret(jwt, { alg: 'HS256', kid: 'client-secret', typ: 'JWT' })],
    [
      { claims: { name: 'X' }, omit: ['email', 'email_verified'] },
      (jwt, keys) =>
        sound(jwt, keys, (claims) => {
          expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'name', 'nonce', 'sub'])
          expect(claims.name).toBe('X')
        }),
    ],
    [
      'unknown_kid',
      (jwt, keys) => {
        expect(keys.map(({ kid }) => kid)).not.toContain(read(jwt).header.kid)
        expect(
          isSigned(
            jwt,
            keys.map((key) => ({ ...key, kid: read(jwt).header.kid })),
          ),
        ).toBe(true)
      },
    ],
    ['wrong_iss', (jwt, keys) => sound(jwt, keys, (claims) => expect(claims.iss).toBe('https://issuer.invalid'))],
    ['wrong_aud', (jwt, keys) => sound(jwt, keys, (claims) => expect(claims.aud).toBe('not_app_notes'))],
    ['expired', (jwt, keys) => sound(jwt, keys, (claims) => expect(claims.exp).toBeLessThan(NOW))],
    ['not_yet_valid', (jwt, keys) => sound(jwt, keys, (claims) => expect(claims.nbf).toBe(NOW + 3600))],
    ['missing_sub', (jwt, keys) => sound(jwt, keys, (claims) => expect(claims).not.toHaveProperty('sub'))],
    [
      'alg_none',
      (jwt) => {
        expect(read(jwt).header).toEqual({ alg: 'none', typ: 'JWT' })
        expect(jwt.endsWith('.')).toBe(true)
        expect(read(jwt).claims.sub).toBe('ada')
      },
    ],
    ['wrong_nonce', (jwt, keys) => sound(jwt, keys, (claims) => expect(claims.nonce).not.toBe('abc'))],
    ...(['iss', 'exp', 'iat', 'nonce'] as const).map((claim): [unknown, Check] => [
      `no_${claim}`,
      (jwt, keys) => sound(jwt, keys, (claims) => expect(claims).not.toHaveProperty(claim)),
    ]),
    [
      'second_aud',
      (jwt, keys) => sound(jwt, keys, (claims) => expect(claims.aud).toEqual(['app_notes', 'not_app_notes'])),
    ],
    [
      'wrong_azp',
      (jwt, keys) =>
        sound(jwt, keys, (claims) => expect(claims).toMatchObject({ aud: 'app_notes', azp: 'not_app_notes' })),
    ],
    [
      'future_iat',
      (jwt, keys) =>
        sound(jwt, keys, (claims) => expect(claims).toMatchObject({ iat: NOW + 3600, exp: NOW + 2 * 3600 })),
    ],
    [
      { claims: { sub: 'somebody', groups: ['x'] } },
      (jwt, keys) =>
        sound(jwt, keys, (claims) =>
          expect(claims).toMatchObject({ sub: 'somebody', groups: ['x'], aud: 'app_notes' }),
        ),
    ],
  ]
  const sound = (jwt: string, keys: Jwk[], check: (claims: Record<string, unknown>) => void) => {
    expect(isSigned(jwt, keys)).toBe(true)
    check(read(jwt).claims)
  }
  for (const [effect, check] of effects) {
    idToken(`${JSON.stringify(effect)}, and the next one is sound again`, async ({ idToken, call, emulator }) => {
      expect((await withFault(call, effect)).status).toBe(201)
      const keys = await keysOf(call)
      check(await idToken({ nonce: 'abc' }), keys, emulator.url)
      const next = await idToken({ nonce: 'abc' })
      expect(isSigned(next, keys)).toBe(true)
      expect(read(next).claims).toMatchObject({
        sub: 'ada',
        nonce: 'abc',
        iss: emulator.url,
        aud: 'app_notes',
        exp: NOW + 3600,
      })
      expect(read(next).claims).not.toHaveProperty('nbf')
    })
  }

  idToken(
    "expired, it is so by the machine's clock, which the emulator's may be ahead of",
    async ({ idToken, call }) => {
      await call('/_admin/clock/freeze', { body: { at: new Date(Date.now() + 3 * 3_600_000).toISOString() } })
      await withFault(call, 'expired')
      expect(read(await idToken()).claims.exp).toBeLessThan(Date.now() / 1000)
    },
  )

  idToken('the fault is marked in the journal, and not on the wire', async ({ idToken, call }) => {
    const { id } = (await withFault(call, 'wrong_aud')).body
    await idToken()
    await idToken()
    const [spoiled, sound] = (await call('/_admin/requests?path=/oauth/token')).body.data
    expect(spoiled).toMatchObject({ status: 200, fault: id })
    expect(Object.keys(spoiled.response.body)).toEqual(Object.keys(sound.response.body))
    expect(spoiled.response.headers).toEqual(sound.response.headers)
    expect(sound.fault).toBeNull()
  })

  idToken('matches what the token request is, too', async ({ idToken, call }) => {
    for (const match of [{ grant_type: 'refresh_token' }, { path: '/v0/*' }]) {
      expect((await withFault(call, 'missing_sub', match)).status).toBe(400)
    }
    expect(read(await idToken()).claims.sub).toBe('ada')
    await withFault(call, 'missing_sub', { method: 'POST', path: '/oauth/*', grant_type: 'authorization_code' })
    expect(read(await idToken()).claims).not.toHaveProperty('sub')
  })

  idToken('a fault for another app does not fire', async ({ idToken, call }) => {
    await withFault(call, 'missing_sub', { app: 'duo' })
    expect(read(await idToken()).claims.sub).toBe('ada')
    await withFault(call, 'missing_sub', { app: 'app_notes', organization: 'acme' })
    expect(read(await idToken()).claims).not.toHaveProperty('sub')
  })
})

test('the signature check of these tests can fail', async ({ call }) => {
  const [key] = await keysOf(call)
  const publicKey = createPublicKey({ key: { ...(key as Jwk) }, format: 'jwk' })
  expect(verifySignature('RSA-SHA256', Buffer.from('x'), publicKey, Buffer.alloc(256))).toBe(false)
})
