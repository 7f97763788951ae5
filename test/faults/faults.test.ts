import { describe, expect } from 'vitest'
import { idTokenEffects, webhookEffects } from '../../src/emulator/faults/effect-names.js'
import { effectsOf } from '../../src/emulator/faults/effects.js'
import { type Call, test } from '../harness/emulator-test.js'

const courses: Call = { as: 'key_acme' }
const fault = (effect: unknown, more: object = {}): Call => ({ body: { match: { surface: 'api' }, effect, ...more } })

describe('control-api "Faults": how often', () => {
  test('times, hits and what is left', async ({ call }) => {
    const { status, body } = await call('/_admin/faults', fault('unavailable', { times: 2 }))
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: expect.any(String), phase: 'before', hits: 0, left: 2 })
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push((await call('/v0/courses', courses)).status)
    expect(statuses).toEqual([503, 503, 200])
    expect((await call('/_admin/faults')).body.data).toMatchObject([{ hits: 2, left: 0 }])
  })

  test('about a grant waits for a POST to the token endpoint', async ({ call }) => {
    const { id } = (await call('/_admin/faults', { body: { match: { surface: 'oauth' }, effect: 'token_expired' } }))
      .body
    expect((await call('/oauth/token')).status).toBe(405)
    expect((await call('/_admin/faults')).body.data).toMatchObject([{ id, hits: 0 }])
  })

  test('after lets so many matches through first', async ({ call }) => {
    await call('/_admin/faults', fault('unavailable', { after: 2, times: 1 }))
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await call('/v0/courses', courses)).status)
    expect(statuses).toEqual([200, 200, 503, 200])
  })

  test('probability is drawn from the seeded generator', async ({ call }) => {
    await call('/_admin/faults', fault('unavailable', { probability: 0.5 }))
    const run = async () => {
      const statuses = []
      for (let count = 0; count < 20; count++) statuses.push((await call('/v0/courses', courses)).status)
      return statuses
    }
    const first = await run()
    expect(new Set(first)).toEqual(new Set([200, 503]))
    await call('/_admin/reset', { method: 'POST' })
    await call('/_admin/faults', fault('unavailable', { probability: 0.5 }))
    expect(await run()).toEqual(first)
  })

  test('probability 0 never fires, 1 always', async ({ call }) => {
    await call('/_admin/faults', fault('unavailable', { probability: 0 }))
    for (let count = 0; count < 20; count++) expect((await call('/v0/courses', courses)).status).toBe(200)
    await call('/_admin/faults', fault('unavailable', { probability: 1 }))
    for (let count = 0; count < 20; count++) expect((await call('/v0/courses', courses)).status).toBe(503)
  })

  test("expires_in is on the emulator's clock", async ({ call }) => {
    await call('/_admin/faults', fault('unavailable', { expires_in: '1m' }))
    expect((await call('/v0/courses', courses)).status).toBe(503)
    await call('/_admin/clock/advance', { body: { by: '1m' } })
    expect((await call('/v0/courses', courses)).status).toBe(200)
  })

  test('one that matches an organization expires on its clock, and draws once for a request', async ({ call }) => {
    const run = async (match: object) => {
      await call('/_admin/reset', { method: 'POST' })
      const half = { match: { surface: 'api', ...match }, expires_in: '1m', probability: 0.5 }
      await call('/_admin/faults', fault('unavailable', half))
      const statuses = []
      for (let count = 0; count < 12; count++) statuses.push((await call('/v0/courses', courses)).status)
      return statuses
    }
    const general = await run({})
    expect(await run({ organization: 'acme' })).toEqual(general)
    expect(new Set(general)).toEqual(new Set([200, 503]))
    await call('/_admin/faults', fault('unavailable', { match: { organization: 'acme' }, expires_in: '1m' }))
    await call('/_admin/clock/advance', { body: { by: '1m', organization: 'zenith' } })
    expect((await call('/v0/courses', courses)).status).toBe(503)
    await call('/_admin/clock/advance', { body: { by: '1m', organization: 'acme' } })
    expect((await call('/v0/courses', courses)).status).toBe(200)
  })

  test('of one for every organization and one for this, the oldest fires too', async ({ call }) => {
    await call('/_admin/faults', fault({ status: 418 }, { match: { organization: 'acme' }, times: 1 }))
    await call('/_admin/faults', fault({ status: 502 }, { times: 1 }))
    await call('/_admin/faults', fault({ status: 504 }, { match: { organization: 'acme' } }))
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push((await call('/v0/courses', courses)).status)
    expect(statuses).toEqual([418, 502, 504])
  })

  test('an export holds them, and one whose fields are spoilt is refused', async ({ call }) => {
    for (const phase of ['before', 'after']) await call('/_admin/faults', fault('unavailable', { phase }))
    expect((await call('/v0/courses', courses)).status).toBe(503)
    const document = (await call('/_admin/state')).body
    expect(document.faults).toMatchObject([
      { phase: 'before', times: null, hits: 1 },
      { phase: 'after', hits: 0 },
    ])
    expect((await call('/_admin/state', { method: 'PUT', body: document })).status).toBe(200)
    expect((await call('/_admin/state')).body.faults).toEqual(document.faults)
    const fields = ['match', 'phase', 'times', 'after', 'probability', 'expires_at', 'seen', 'hits']
    const faults = [{ ...document.faults[0], ...Object.fromEntries(fields.map((name) => [name, 'x'])) }]
    const { status, body } = await call('/_admin/state', { method: 'PUT', body: { ...document, faults } })
    expect(status).toBe(400)
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(fields.map((name) => `faults.0.${name}`))
  })

  test('when several match, the oldest fires', async ({ call }) => {
    await call('/_admin/faults', fault({ status: 418 }, { times: 1 }))
    await call('/_admin/faults', fault({ status: 502 }))
    expect((await call('/v0/courses', courses)).status).toBe(418)
    expect((await call('/v0/courses', courses)).status).toBe(502)
  })

  test('deleting one, deleting all', async ({ call }) => {
    const { id } = (await call('/_admin/faults', fault('unavailable'))).body
    await call('/_admin/faults', fault('rate_limited'))
    expect((await call(`/_admin/faults/${id}`, { method: 'DELETE' })).body).toMatchObject({ id })
    expect((await call('/v0/courses', courses)).status).toBe(429)
    expect((await call('/_admin/faults', { method: 'DELETE' })).body.data).toHaveLength(1)
    expect((await call('/v0/courses', courses)).status).toBe(200)
    expect((await call(`/_admin/faults/${id}`, { method: 'DELETE' })).status).toBe(404)
  })
})

describe('control-api "Faults": match', () => {
  test.for([
    [{}, true],
    [{ surface: 'oauth' }, false],
    [{ method: 'get' }, true],
    [{ method: 'POST' }, false],
    [{ path: '/v0/courses' }, true],
    [{ path: '/v0/*' }, true],
    [{ path: '*courses' }, true],
    [{ path: '/v0' }, false],
    [{ organization: 'acme' }, true],
    [{ organization: 'zenith' }, false],
    [{ app: 'notes' }, false],
  ] as const)('%o', async ([match, hits], { call }) => {
    await call('/_admin/faults', { body: { match, effect: 'unavailable' } })
    expect((await call('/v0/courses', courses)).status).toBe(hits ? 503 : 200)
  })

  test('an app is matched by its id and by its client id', async ({ call }) => {
    await call('/_admin/faults', { body: { match: { app: 'notes' }, effect: { status: 502 }, times: 1 } })
    await call('/_admin/faults', { body: { match: { app: 'app_notes' }, effect: { status: 504 }, times: 1 } })
    expect((await call('/v0/courses', { as: 'at_acme' })).status).toBe(502)
    expect((await call('/v0/courses', { as: 'at_acme' })).status).toBe(504)
    expect((await call('/v0/courses', courses)).status).toBe(200)
  })

  test('only a POST of the token endpoint has a grant_type', async ({ call }) => {
    await call('/_admin/faults', { body: { match: { grant_type: 'refresh_token' }, effect: { status: 418 } } })
    const form = { grant_type: 'refresh_token' }
    expect((await call('/oauth/token', { method: 'PUT', form })).status).toBe(405)
    expect((await call('/oauth/token', { form })).status).toBe(418)
  })

  test('one of an organization goes with it', async ({ call }) => {
    for (const organization of ['acme', 'zenith']) {
      await call('/_admin/faults', { body: { match: { organization }, effect: 'unavailable' } })
    }
    await call('/_admin/organizations/zenith', { method: 'DELETE' })
    expect((await call('/_admin/faults')).body.data).toMatchObject([{ match: { organization: 'acme' } }])
  })

  test('control calls never run into faults', async ({ call }) => {
    await call('/_admin/faults', { body: { effect: 'unavailable' } })
    expect((await call('/_admin/faults')).status).toBe(200)
  })
})

describe('control-api "Faults": effects', () => {
  test.for([
    ['rate_limited', 429, 'Rate limit exceeded. Please try again later.', 'retry-after', '60'],
    [
      'token_expired',
      401,
      'Unauthorized',
      'www-authenticate',
      'Bearer error="invalid_token", error_description="The access token is expired"',
    ],
    [
      'token_revoked',
      401,
      'Unauthorized',
      'www-authenticate',
      'Bearer error="invalid_token", error_description="The access token is revoked"',
    ],
    [
      'insufficient_scope',
      403,
      'Insufficient scope',
      'www-authenticate',
      'Bearer error="insufficient_scope", scope="courses:read"',
    ],
    ['unavailable', 503, 'Service unavailable', 'content-type', 'application/json; charset=utf-8'],
  ] as const)('%s is said as the platform would', async ([effect, status, error, header, value], { call }) => {
    await call('/_admin/faults', fault(effect))
    const answer = await call('/v0/courses', courses)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ error, payload: null })
    expect(answer.headers.get(header)).toBe(value)
  })

  test.for([
    [401, 'www-authenticate', 'Bearer error="invalid_token", error_description="The credential is unknown"'],
    [403, 'www-authenticate', 'Bearer error="insufficient_scope", scope="courses:read"'],
    [429, 'retry-after', '60'],
    [503, 'www-authenticate', null],
  ] as const)('the status %i comes with the headers that the platform sends with it', async (given, { call }) => {
    const [status, header, value] = given
    await call('/_admin/faults', fault({ status }, { times: 1 }))
    const answer = await call('/v0/courses', courses)
    expect(answer.status).toBe(status)
    expect(answer.headers.get(header)).toBe(value)
    await call('/_admin/faults', fault({ status, headers: { [header]: 'own' } }, { times: 1 }))
    expect((await call('/v0/courses', courses)).headers.get(header)).toBe('own')
  })

  test('a status with the default body, with headers, with a body of its own', async ({ call }) => {
    await call('/_admin/faults', fault({ status: 202 }, { times: 1 }))
    expect(await call('/v0/courses', { ...courses, injected: true })).toMatchObject({ status: 202, text: '' })
    await call('/_admin/faults', fault({ status: 500 }, { times: 1 }))
    expect((await call('/v0/courses', courses)).body).toEqual({ error: 'Internal server error', payload: null })
    const headers = { 'Retry-After': '7', 'Content-Type': 'application/problem+json' }
    await call('/_admin/faults', fault({ status: 503, headers, body: { down: true } }))
    const answer = await call('/v0/courses', { ...courses, injected: true })
    expect(answer).toMatchObject({ status: 503, body: { down: true } })
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })

  test("a header of the fault takes the place of the refusal's, however it is written", async ({ call }) => {
    await call('/_admin/faults', fault({ status: 429, headers: { 'Retry-After': '7' } }))
    expect((await call('/v0/courses', courses)).headers.get('retry-after')).toBe('7')
  })

  test('a body that is a text is sent as text, with the status of the work that was done', async ({ call }) => {
    await call('/_admin/faults', fault({ body: 'gone fishing' }, { phase: 'after' }))
    const body = { module: 'module1', type: 'CONTENT', name: 'A' }
    const created = await call('/v0/elements', { ...courses, body, injected: true })
    expect(created).toMatchObject({ status: 200, text: 'gone fishing' })
    expect(created.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const unknown = await call('/v0/elements/nope', { ...courses, injected: true })
    expect(unknown).toMatchObject({ status: 404, text: 'gone fishing' })
  })

  test.for([
    [500, '500 Internal Server Error'],
    [599, '599'],
  ] as const)('HTML where JSON is expected, with the status %i', async ([status, title], { call }) => {
    await call('/_admin/faults', fault({ status, body: 'html' }))
    const html = await call('/v0/courses', courses)
    expect(html.status).toBe(status)
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html.text).toContain(`<title>${title}</title>`)
    expect(html.text).toContain(`<h1>${title}</h1>`)
  })

  test.for([
    ['/v0/courses', '{"error":null,"payload":{'],
    ['/v0/members/ada', '{"error":null,"payload":{'],
    ['/.well-known/jwks.json', '{"keys":[{"kty":"RSA",'],
    ['/.well-known/openid-configuration', '{"issuer":"'],
    ['/oauth/token', '{"token_type":"Bearer",'],
    ['/oauth/authorize', '{'],
  ] as const)('malformed JSON is the beginning of what the endpoint sends: %s', async (given, { emulator, call }) => {
    const [path, beginning] = given
    const real = (await call(path, courses)).text
    await call('/_admin/faults', { body: { effect: { body: 'malformed_json' } } })
    const method = path === '/oauth/token' ? 'POST' : 'GET'
    const answer = await fetch(emulator.url + path, { method, headers: { authorization: 'Bearer key_acme' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(await answer.text()).toBe(beginning)
    if (!path.startsWith('/oauth/')) expect(real.slice(0, beginning.length)).toBe(beginning)
  })

  test('a page of the authorization endpoint breaks off as a page', async ({ emulator, call }) => {
    await call('/_admin/faults', { body: { match: { surface: 'oauth' }, effect: { connection: 'truncate' } } })
    const cut = await fetch(`${emulator.url}/oauth/authorize`)
    expect(cut.headers.get('content-type')).toBe('text/html; charset=utf-8')
    await expect(cut.text()).rejects.toThrow('terminated')
  })

  test.for([
    { body: 'malformed_json' },
    { status: 500, body: 'html' },
    { connection: 'reset' },
    { connection: 'empty' },
    { connection: 'truncate' },
    { hold: 1 },
  ])('the reason in the journal names each effect and its value: %j', async (effect, { call }) => {
    await call('/_admin/faults', fault(effect))
    await call('/v0/courses', { ...courses, injected: true }).catch(() => undefined)
    const named = Object.entries(effect).map(([name, value]) => `${name} ${value}`)
    const [entry] = (await call('/_admin/requests')).body.data
    expect(entry.reason).toBe(`Injected fault: ${named.join(', ')}`)
  })

  test.for([
    [{ delay: 1, jitter: '1ms' }, 'delay 1 ms, jitter 1 ms'],
    [{ omit: ['error', 'payload.data'] }, 'omit error payload.data'],
    [
      { status: 503, headers: { 'x-a': 'secret', 'x-b': 'secret' }, body: 'secret' },
      'status 503, headers x-a x-b, body',
    ],
    [{ merge: { payload: { name: 'secret' } } }, 'merge payload'],
  ] as const)('and no text that may be secret: %j', async ([effect, named], { call }) => {
    await call('/_admin/faults', fault(effect))
    await call('/v0/courses', { ...courses, injected: true })
    expect((await call('/_admin/requests')).body.data[0].reason).toBe(`Injected fault: ${named}`)
  })

  test('a status that the platform has no words for is called by its name', async ({ call }) => {
    for (const [status, error] of [
      [200, null],
      [404, 'Resource not found'],
      [418, "I'm a Teapot"],
      [599, 'Error'],
    ] as const) {
      await call('/_admin/faults', fault({ status }, { times: 1 }))
      const answer = await call('/v0/courses', { ...courses, injected: true })
      expect(answer.status).toBe(status)
      if (error) expect(answer.body).toEqual({ error, payload: null })
    }
  })

  test.for(['GET', 'HEAD'])('truncate before a %s reads the real response', async (method, { call }) => {
    await call('/_admin/faults', fault({ connection: 'truncate' }))
    await call('/v0/nothing', { ...courses, method }).catch(() => undefined)
    expect((await call('/_admin/requests')).body.data[0].status).toBe(404)
  })

  test('each effect has words for those who choose one', async ({ call }) => {
    const names = Object.values({ ...webhookEffects, ...idTokenEffects })
    const parts = { ...effectsOf.webhook.parts.shape, ...effectsOf.id_token.parts.shape }
    const { merge, omit } = effectsOf.api.parts.shape
    const described = [...Object.values(parts), merge.unwrap(), omit.unwrap()].map(({ description }) => description)
    const { properties } = (await call('/_admin/openapi.json')).body.components.schemas.NewFault
    const { surface, ...matchers } = properties.match.properties
    expect(surface.enum).toEqual(['api', 'oauth', 'webhook', 'id_token'])
    const fields = [
      ...Object.values<{ description: string }>(properties),
      ...Object.values<{ description: string }>(matchers),
    ]
    const texts = [...names, ...described, ...fields.map(({ description }) => description)]
    for (const text of texts) expect(text).toMatch(/^\w.{3,}$/)
  })

  test.for(['reset', 'empty', 'truncate'] as const)('connection: %s', async (connection, { call }) => {
    await call('/_admin/faults', fault({ connection }, { times: 1 }))
    await expect(call('/v0/courses', courses)).rejects.toThrow()
    expect((await call('/v0/courses', courses)).status).toBe(200)
    const [broken, whole] = (await call('/_admin/requests')).body.data
    expect([broken.status, whole.status]).toEqual([connection === 'truncate' ? 200 : null, 200])
  })

  test.for([204, 304])('a %i has no body, and says no length of one', async (status, { call, emulator }) => {
    for (const body of [undefined, { error: 'lost' }]) {
      await call('/_admin/faults', fault({ status, body }, { times: 1 }))
      const response = await fetch(`${emulator.url}/v0/courses`, { headers: { authorization: 'Bearer key_acme' } })
      expect([response.status, await response.text()]).toEqual([status, ''])
      expect(response.headers.get('content-length')).toBeNull()
    }
  })

  test.for(['before', 'after'])('truncate "%s" sends half of what a GET reads', async (phase, { call, emulator }) => {
    const { text } = await call('/v0/courses', courses)
    await call('/_admin/faults', fault({ connection: 'truncate' }, { phase }))
    const headers = { authorization: 'Bearer key_acme' }
    const cut = await fetch(`${emulator.url}/v0/courses`, { headers })
    expect(cut.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    const parts: Uint8Array[] = []
    const read = async () => {
      for await (const part of cut.body as ReadableStream<Uint8Array>) parts.push(part)
    }
    await expect(read()).rejects.toThrow('terminated')
    expect(Buffer.concat(parts)).toEqual(Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2)))
  })

  test('truncate sends half of the JWKS', async ({ call, emulator }) => {
    const { text } = await call('/.well-known/jwks.json')
    const match = { path: '/.well-known/jwks.json' }
    await call('/_admin/faults', { body: { match, effect: { connection: 'truncate' }, times: 1 } })
    const cut = await fetch(`${emulator.url}/.well-known/jwks.json`)
    expect(cut.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    await expect(cut.text()).rejects.toThrow('terminated')
  })

  test('connection: hang never answers, and does not hold the close up', async ({ call, emulator }) => {
    await call('/_admin/faults', fault({ connection: 'hang' }))
    const hanging = call('/v0/courses', courses)
    const refused = expect(hanging).rejects.toThrow()
    await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(1)
    await emulator.close()
    await refused
  })

  test('hold lets n requests go together', async ({ call }) => {
    await call('/_admin/faults', fault({ hold: 3 }))
    const answers = await Promise.all([1, 2, 3].map(() => call('/v0/courses', courses)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('a client that has left does not count for hold', async ({ call, emulator }) => {
    await call('/_admin/faults', fault({ hold: 3 }))
    const hits = async () => (await call('/_admin/faults')).body.data[0].hits
    const leaving = new AbortController()
    const headers = { authorization: 'Bearer key_acme' }
    const left = fetch(`${emulator.url}/v0/courses`, { headers, signal: leaving.signal }).catch(() => 'left')
    await expect.poll(hits).toBe(1)
    leaving.abort()
    expect(await left).toBe('left')
    await expect.poll(async () => (await call('/_admin/requests')).body.data).toMatchObject([{ status: null }])
    const answered: number[] = []
    const held = [1, 2].map(() => call('/v0/courses', courses).then(({ status }) => void answered.push(status)))
    await expect.poll(hits).toBe(3)
    expect((await call('/_admin/requests')).body.data).toHaveLength(1)
    expect(answered).toEqual([])
    await Promise.all([...held, call('/v0/courses', courses)])
    expect(answered).toEqual([200, 200])
  })

  test.for([
    ['', { hold: 2 }],
    [', also before its delay is over', { delay: 200, hold: 2 }],
  ] as const)('deleting the fault and reset release what is held%s', async ([, effect], { call }) => {
    for (const release of [
      () => call('/_admin/faults', { method: 'DELETE' }),
      () => call('/_admin/reset', { method: 'POST' }),
    ]) {
      await call('/_admin/faults', fault(effect))
      const held = call('/v0/courses', courses)
      await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(1)
      await release()
      expect((await held).status).toBe(200)
    }
  })

  test.for([undefined, 'acme'])(
    'the expiry of the fault releases what is held (organization %s)',
    async (name, { call }) => {
      const match = { surface: 'api', ...(name && { organization: name }) }
      await call('/_admin/faults', { body: { match, effect: { hold: 2 }, expires_in: '1m' } })
      const answered: number[] = []
      void call('/v0/courses', courses).then(({ status }) => void answered.push(status))
      await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(1)
      await call('/_admin/clock/advance', { body: { by: '59s' } })
      expect(answered).toEqual([])
      await call('/_admin/clock/advance', { body: { by: '1s', ...(name && { organization: name }) } })
      await expect.poll(() => answered).toEqual([200])
    },
  )

  test.for([
    [400, 'invalid_request'],
    [401, 'invalid_client'],
    [429, 'temporarily_unavailable'],
    [500, 'server_error'],
    [503, 'temporarily_unavailable'],
  ] as const)('the status %i of discovery has the error %s', async ([status, error], { call }) => {
    await call('/_admin/faults', { body: { match: { path: '/.well-known/*' }, effect: { status } } })
    const answer = await call('/.well-known/openid-configuration')
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ error, error_description: expect.any(String) })
  })

  test('a restore releases what is held, though its fault stays', async ({ call }) => {
    await call('/_admin/faults', fault({ hold: 2 }))
    await call('/_admin/snapshots', { body: { name: 'here' } })
    const held = call('/v0/courses', courses)
    await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(1)
    await call('/_admin/snapshots/here/restore', { method: 'POST' })
    expect((await held).status).toBe(200)
    expect((await call('/_admin/faults')).body.data).toMatchObject([{ hits: 0 }])
  })

  test.for([
    ['a reset', { hold: 2 }, '/_admin/reset', 'POST'],
    ['a reset', { delay: 300 }, '/_admin/reset', 'POST'],
    ['a restore', { hold: 2 }, '/_admin/snapshots/here/restore', 'POST'],
    ['a replacement', { hold: 2 }, '/_admin/state', 'PUT'],
  ] as const)(
    'after %s nothing is done for a request with an effect that waited for %j',
    async ([, effect, path, method], { call }) => {
      await call('/_admin/snapshots', { body: { name: 'here' } })
      const elements = async () => (await call('/v0/elements', { as: 'key_acme' })).body.payload.data
      const [state, before] = [(await call('/_admin/state')).body, await elements()]
      await call('/_admin/faults', { body: { match: { surface: 'api', method: 'POST' }, effect } })
      const held = call('/v0/elements', { as: 'key_acme', body: { module: 'module1', type: 'TAG', name: 'Late' } })
      await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(1)
      expect((await call(path, { method, ...(method === 'PUT' && { body: state }) })).status).toBe(200)
      expect((await held).status).toBe(503)
      expect(await elements()).toEqual(before)
      const reason =
        'The world was reset, restored or replaced while the request waited for a fault, so nothing was done'
      expect((await call('/_admin/requests?status=503')).body.data).toMatchObject([{ reason }])
    },
  )

  test('phase "after": the work is done and its answer lost', async ({ call }) => {
    await call('/_admin/faults', {
      body: { match: { path: '/oauth/token' }, effect: { connection: 'empty' }, phase: 'after', times: 1 },
    })
    const form = {
      grant_type: 'refresh_token',
      refresh_token: 'rt_acme',
      client_id: 'app_notes',
      client_secret: 'notes_secret',
    }
    await expect(call('/oauth/token', { form })).rejects.toThrow()
    const again = await call('/oauth/token', { form })
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test.for([
    ['before', 200, '{"token_ty'],
    ['after', 400, '{"token_type":"Bearer","expires_in":3600'],
  ] as const)('an answer that breaks off in phase "%s": the next refresh is answered %i', async (given, { call }) => {
    const [phase, status, beginning] = given
    await call('/_admin/faults', {
      body: { match: { path: '/oauth/token' }, effect: { connection: 'truncate' }, phase, times: 1 },
    })
    const client = { client_id: 'app_notes', client_secret: 'notes_secret' }
    const form = { ...client, grant_type: 'refresh_token', refresh_token: 'rt_acme' }
    const { url } = (await call('/_admin')).body.worlds[0]
    const cut = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
    expect(cut.status).toBe(200)
    expect(cut.headers.get('content-type')).toBe('application/json; charset=utf-8')
    let text = ''
    await expect(
      (async () => {
        for await (const part of cut.body as ReadableStream<Uint8Array>) text += new TextDecoder().decode(part)
      })(),
    ).rejects.toThrow('terminated')
    expect(text.slice(0, beginning.length)).toBe(beginning)
    expect((await call('/oauth/token', { form })).status).toBe(status)
  })

  test('phase "before": the request has no effect', async ({ call }) => {
    await call('/_admin/faults', {
      body: { match: { grant_type: 'refresh_token' }, effect: { connection: 'empty' }, times: 1 },
    })
    const form = {
      grant_type: 'refresh_token',
      refresh_token: 'rt_acme',
      client_id: 'app_notes',
      client_secret: 'notes_secret',
    }
    await expect(call('/oauth/token', { form })).rejects.toThrow()
    expect((await call('/oauth/token', { form })).status).toBe(200)
  })
})

describe('control-api "Faults": what is refused', () => {
  test.for([
    [{ effect: 'nonsense' }, 'effect'],
    [{ effect: {} }, 'effect'],
    [{ effect: [] }, 'effect'],
    [{ effect: null }, 'effect'],
    [{ effect: 'drop' }, 'effect'],
    [{ effect: { status: 500, headers: { 'x-a': 'b\r\nx-c: d' } } }, 'effect.headers.x-a'],
    [{ effect: { status: 500, headers: { 'content-length': '1' } } }, 'effect.headers.content-length'],
    [{ effect: { headers: { 'Transfer-Encoding': 'chunked' } } }, 'effect.headers.Transfer-Encoding'],
    [{ match: { surface: 'webhook' }, effect: 'unavailable' }, 'effect'],
    [{ match: { surface: 'id_token' }, effect: 'drop' }, 'effect'],
    [{ match: { surface: 'nowhere' }, effect: 'unavailable' }, 'match.surface'],
    [{ match: { pfad: '/' }, effect: 'unavailable' }, 'match.pfad'],
    [{ match: { surface: 'webhook', event: '' }, effect: 'drop' }, 'match.event'],
    [{ effect: { status: 199 } }, 'effect.status'],
    [{ effect: { status: 600 } }, 'effect.status'],
    [{ effect: { hold: 0 } }, 'effect.hold'],
    [{ effect: { hold: 1001 } }, 'effect.hold'],
    [{ effect: { omit: ['x'.repeat(1001)] } }, 'effect.omit.0'],
    [{ effect: { omit: ['.a'] } }, 'effect.omit.0'],
    [{ effect: { omit: ['a.'] } }, 'effect.omit.0'],
    [{ match: { surface: 'id_token' }, effect: { omit: [] } }, 'effect.omit'],
    [{ match: { surface: 'id_token' }, effect: { claims: {} } }, 'effect.claims'],
    [{ match: { surface: 'id_token' }, effect: { omit: [''] } }, 'effect.omit.0'],
    [{ match: { surface: 'webhook' }, effect: { signature: 'a\r\nb: c' } }, 'effect.signature'],
    [{ effect: 'unavailable', after: -1 }, 'after'],
    [{ effect: 'unavailable', probability: -0.1 }, 'probability'],
    [{ effect: 'unavailable', times: 0 }, 'times'],
    [{ effect: 'unavailable', probability: 2 }, 'probability'],
    [{ effect: 'unavailable', phase: 'during' }, 'phase'],
    [{ match: { surface: 'webhook' }, effect: 'drop', phase: 'after' }, 'phase'],
    [{ match: { surface: 'id_token' }, effect: 'expired', phase: 'after' }, 'phase'],
    [{ effect: 'unavailable', expires_in: 'soon' }, 'expires_in'],
    [{ effect: 'unavailable', tiems: 1 }, 'tiems'],
    [{ match: { surface: 'oauth', path: '/oauth/authorize' }, effect: { omit: ['id_token'] } }, 'match.path'],
    [{ match: { path: '/oauth/auth*' }, effect: { merge: { a: 1 }, omit: ['b'] } }, 'match.path'],
    [{ match: { surface: 'oauth', path: '/.well-known/*' }, effect: 'token_expired' }, 'match.path'],
    [{ match: { surface: 'oauth', method: 'GET' }, effect: 'insufficient_scope' }, 'match.method'],
  ] as const)('%o: 400 at %s', async ([body, path], { call }) => {
    const answer = await call('/_admin/faults', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ path }])
    expect((await call('/_admin/faults')).body.data).toEqual([])
  })
})

test('control-api "Faults": what is at a limit is accepted', async ({ call }) => {
  for (const body of [
    { effect: { status: 200 } },
    { effect: { status: 599 } },
    { effect: { hold: 1000 } },
    { effect: { omit: ['x'.repeat(1000)] } },
    { effect: 'unavailable', times: 1, after: 0, probability: 0, expires_in: 1 },
    { match: { surface: 'webhook' }, effect: 'drop', phase: 'before' },
    { match: { path: '*' }, effect: 'token_expired' },
    { match: { path: '/oauth/authorize' }, effect: { omit: ['b'], delay: 1 } },
    { match: { method: 'GET' }, effect: 'token_expired' },
    { match: { surface: 'oauth', path: '/oauth/authorize' }, effect: 'unavailable' },
    { match: { surface: 'oauth', path: '/.well-known/*' }, effect: { omit: ['issuer'] } },
  ]) {
    expect((await call('/_admin/faults', { body })).status).toBe(201)
  }
})

describe('control-api "Faults": on the wire indistinguishable from a real one', () => {
  test('insufficient_scope names the scope that the route asks for', async ({ call }) => {
    await call('/_admin/faults', fault('insufficient_scope'))
    const challenge = async (path: string, more: Call = {}) =>
      (await call(path, { as: 'at_acme', ...more })).headers.get('www-authenticate')
    expect(await challenge('/v0/members')).toBe('Bearer error="insufficient_scope", scope="members:read"')
    expect(await challenge('/v0/elements/essay')).toBe('Bearer error="insufficient_scope", scope="elements:read"')
    expect(await challenge('/v0/elements/essay', { method: 'DELETE' })).toBe('Bearer error="insufficient_scope"')
  })

  test('rate_limited has the headers of the rate limit', async ({ call }) => {
    await call('/_admin/faults', fault('rate_limited'))
    const { headers } = await call('/v0/courses', courses)
    expect(headers.get('x-ratelimit-limit')).toBe('60')
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
  })

  test('a status alone answers as the platform does with it', async ({ call }) => {
    const answer = async (status: number, more: Call = courses) => {
      await call('/_admin/faults', fault({ status }, { times: 1 }))
      const { body, headers } = await call('/v0/courses', { ...more, injected: true })
      return [body.error, headers.get('www-authenticate'), headers.get('retry-after')]
    }
    const unknown = 'Bearer error="invalid_token", error_description="The credential is unknown"'
    expect(await answer(401)).toEqual(['Unauthorized', unknown, null])
    expect(await answer(401, {})).toEqual(['Unauthorized', 'Bearer', null])
    const scope = 'Bearer error="insufficient_scope", scope="courses:read"'
    expect(await answer(403)).toEqual(['Insufficient scope', scope, null])
    expect(await answer(429)).toEqual(['Rate limit exceeded. Please try again later.', null, '60'])
    expect(await answer(503)).toEqual(['Service unavailable', null, null])
  })
})

describe('control-api "Faults" under a rate limit', () => {
  test.override({ settings: { rateLimit: 10 } })

  test('an injected answer carries the headers of the limit like any other', async ({ call }) => {
    await call('/_admin/faults', fault({ status: 500 }))
    const { headers } = await call('/v0/courses', courses)
    expect(headers.get('x-ratelimit-limit')).toBe('10')
    expect(headers.get('x-ratelimit-remaining')).toBe('9')
  })

  test('so does the refusal of a request that waited for a fault when the world was reset', async ({ call }) => {
    await call('/_admin/faults', { body: { match: { surface: 'api', method: 'POST' }, effect: { hold: 2 } } })
    const held = call('/v0/elements', { as: 'key_acme', body: { module: 'module1', type: 'TAG', name: 'Late' } })
    await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(1)
    await call('/_admin/reset', { method: 'POST' })
    const { status, headers } = await held
    expect(status).toBe(503)
    expect(headers.get('x-ratelimit-limit')).toBe('10')
    expect(headers.get('x-ratelimit-remaining')).toBe('9')
  })
})

describe('control-api "Faults": a bad effect', () => {
  const names = 'rate_limited, token_expired, token_revoked, insufficient_scope, unavailable'
  const fields = 'status, headers, body, delay, jitter, connection, hold, merge, omit'
  const known = `must be one of ${names}, or an object of ${fields}`
  test.for([
    [{ status: '500' }, 'effect.status', 'must be a number, not a string'],
    [{ status: 500, sttus: 1 }, 'effect.sttus', 'is not a known field; did you mean "status"?'],
    [{ connection: 'cut' }, 'effect.connection', 'must be one of reset, hang, truncate, empty'],
    ['unavailble', 'effect', known],
    [['unavailable'], 'effect', known],
    [null, 'effect', known],
    [5, 'effect', known],
    [{ omit: ['x'.repeat(1001)] }, 'effect.omit.0', 'must have at most 1000 characters'],
    [{}, 'effect', 'must have at least one of delay, body and signature', 'webhook'],
    [{}, 'effect', 'must have claims or omit', 'id_token'],
  ] as const)('%o is told at %s', async ([effect, path, message, surface = 'api'], { call }) => {
    const { status, body } = await call('/_admin/faults', fault(effect, { match: { surface } }))
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ path, message }])
  })
})

describe('control-api "Faults": chance', () => {
  test('a delay without jitter takes nothing from the seed', async ({ call }) => {
    const created = async (effect: object, match = { surface: 'api' }) => {
      await call('/_admin/reset', { method: 'POST' })
      await call('/_admin/faults', fault(effect, { match }))
      const body = { module: 'module1', name: 'New', type: 'CONTENT' }
      return (await call('/v0/elements', { as: 'key_acme', body })).body.payload.id
    }
    expect(await created({ delay: 1 })).toBe(await created({ headers: { 'x-trace': 'a' } }))
    expect(await created({ delay: 1, jitter: 1 })).not.toBe(await created({ delay: 1 }))
    // One that always fires takes as little as one that never does.
    expect(await created({ delay: 1 })).toBe(await created({ delay: 1 }, { surface: 'oauth' }))
  })
})
