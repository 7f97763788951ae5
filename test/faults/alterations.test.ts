import { decodeJwt } from 'jose'
import { describe, expect } from 'vitest'
import { signatureOf } from '../harness/receiver.js'
import { test as signIn } from '../harness/sign-in-test.js'
import { test } from '../harness/webhook-test.js'

describe('control-api "Faults": merge and omit over the real response', () => {
  test('merge adds and replaces, object by object', async ({ call }) => {
    const merge = { payload: { name: 'Other', extra: { deep: true } } }
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { merge } } })
    const { status, body } = await call('/v0/elements/essay', { as: 'key_acme', injected: true })
    expect(status).toBe(200)
    expect(body.payload).toMatchObject({ id: 'essay', type: 'SUBMISSION', name: 'Other', extra: { deep: true } })
  })

  test('__proto__ is a name like any other', async ({ call }) => {
    const raw = '{"match":{"surface":"api"},"effect":{"merge":{"payload":{"__proto__":{"a":1},"id":"x"}}}}'
    const headers = { 'content-type': 'application/json' }
    expect((await call('/_admin/faults', { method: 'POST', raw, headers })).status).toBe(201)
    const { text } = await call('/v0/elements/essay', { as: 'key_acme', injected: true })
    expect(text).toMatch(/"payload":\{"id":"x",.*"__proto__":\{"a":1\}/)
  })

  test('omit takes fields out of every item', async ({ call }) => {
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { omit: ['payload.data.*.name'] } } })
    const { body } = await call('/v0/elements', { as: 'key_acme', injected: true })
    expect(body.payload.data.length).toBeGreaterThan(0)
    for (const element of body.payload.data) {
      expect(element).not.toHaveProperty('name')
      expect(element).toHaveProperty('id')
    }
  })

  test.for([
    ['payload.data.*', []],
    ['payload.data.0', ['review', 'essay']],
    ['payload.data.1', ['page', 'essay']],
    ['payload.data.3', ['page', 'review', 'essay']],
    ['payload.data.name', ['page', 'review', 'essay']],
    ['payload.data.length', ['page', 'review', 'essay']],
  ] as const)('omit %s leaves the items %j', async ([path, left], { call }) => {
    const ids = async () =>
      (await call('/v0/elements', { as: 'key_acme', injected: true })).body.payload.data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await ids()).toEqual(['page', 'review', 'essay'])
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { omit: [path] } } })
    expect(await ids()).toEqual(left)
  })

  test('the next response is whole again: what is stored stays as it is', async ({ call }) => {
    const omit = ['payload.properties.questions.*.text', 'payload.metadata.note']
    const metadata = { note: 'kept' }
    const sent = { as: 'key_acme', body: { metadata } }
    expect((await call('/v0/elements/essay', { ...sent, method: 'PATCH' })).status).toBe(200)
    const { body } = await call('/v0/elements/essay', { as: 'key_acme' })
    expect(body.payload).toMatchObject({ metadata, properties: { questions: [{ text: 'Why?' }] } })
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { omit }, times: 1 } })
    const altered = (await call('/v0/elements/essay', { as: 'key_acme', injected: true })).body.payload
    expect(altered.metadata).toEqual({})
    expect(altered.properties.questions[0]).not.toHaveProperty('text')
    expect((await call('/v0/elements/essay', { as: 'key_acme' })).body).toEqual(body)
  })

  test('a connection that breaks off in the middle of a merged response', async ({ call, emulator }) => {
    const effect = { merge: { first: 1 }, connection: 'truncate' }
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect } })
    const response = await fetch(`${emulator.url}/v0/courses`, { headers: { authorization: 'Bearer key_acme' } })
    let text = ''
    await expect(
      (async () => {
        for await (const part of response.body as ReadableStream<Uint8Array>) text += new TextDecoder().decode(part)
      })(),
    ).rejects.toThrow('terminated')
    expect(text).toMatch(/^\{"error":null,"payload":\{"data":\[\{"id":"/)
  })

  test('the journal has what the handler noted, and the fault', async ({ call }) => {
    const effect = { merge: { a: 1 } }
    const { id } = (await call('/_admin/faults', { body: { match: { surface: 'api' }, effect } })).body
    const body = { module: 'module1', type: 'CONTENT', name: 'A', nmae: 'x' }
    await call('/v0/elements', { as: 'key_acme', body, injected: true })
    await call('/v0/courses', { as: 'nobody', injected: true })
    const [created, refused] = (await call('/_admin/requests')).body.data
    expect(created).toMatchObject({ fault: id, warnings: [{ path: 'nmae' }], reason: 'Injected fault: merge a' })
    expect(refused).toMatchObject({ fault: id, reason: expect.stringMatching(/^The credential was never issued/) })
  })

  test('the work is done, on the token endpoint too', async ({ call, install }) => {
    const { credentials } = (await install({ announce: false })).body
    await call('/_admin/faults', { body: { match: { surface: 'oauth' }, effect: { omit: ['expires_in'] } } })
    const form = {
      grant_type: 'refresh_token',
      refresh_token: credentials.refresh_token,
      client_id: 'app_notes',
      client_secret: 'notes_secret',
    }
    const { body } = await call('/oauth/token', { form })
    expect(body).not.toHaveProperty('expires_in')
    expect((await call('/v0/elements', { as: body.access_token, injected: true })).status).toBe(200)
  })

  test('a body that is no JSON object stays as it is', async ({ call }) => {
    const path = '/oauth/authorize?client_id=nobody'
    const page = await call(path)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const effect = { merge: { a: 1 }, headers: { 'X-Fault': 'yes' } }
    await call('/_admin/faults', { body: { match: { surface: 'oauth' }, effect } })
    const answer = await call(path)
    expect(answer).toMatchObject({ status: page.status, text: page.text })
    expect(answer.headers.get('x-fault')).toBe('yes')
  })

  test.for(['payload.cover.url', 'payload.name.length', 'payload.nothing.id', 'nothing'])(
    'omit %s leaves out nothing, as nothing is there',
    async (path, { call }) => {
      const { body } = await call('/v0/elements/essay', { as: 'key_acme' })
      expect(body.payload).toMatchObject({ cover: null, name: 'Essay' })
      await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { omit: [path] } } })
      expect(await call('/v0/elements/essay', { as: 'key_acme' })).toMatchObject({ status: 200, body })
    },
  )

  const nothingSent =
    'connection leaves no response to change, so it cannot be combined with status, headers, body, merge or omit'
  const unlike = 'merge and omit change the real response, so they cannot be combined with status or body'
  test.for([
    [{ merge: { a: 1 }, status: 500 }, 'effect', unlike],
    [{ omit: ['a'], body: 'b' }, 'effect', unlike],
    [{ status: 500, connection: 'reset' }, 'effect', nothingSent],
    [{ merge: { a: 1 }, connection: 'hang' }, 'effect', nothingSent],
    [{ headers: { a: 'b' }, connection: 'empty', delay: 1 }, 'effect', nothingSent],
    [{ merge: {} }, 'effect.merge', 'must have at least one field'],
    [{ omit: [] }, 'effect.omit', 'must have at least 1 item'],
    [{ omit: ['a..b'] }, 'effect.omit.0', 'must be a dotted path such as payload.name'],
    [{ jitter: '5ms', status: 500 }, 'effect', 'jitter requires delay'],
    [{}, 'effect', 'must have at least one of status, headers, body, delay, connection, hold, merge, omit'],
  ] as [object, string, string][])('%j is refused', async ([effect, path, message], { call }) => {
    const { status, body } = await call('/_admin/faults', { body: { match: { surface: 'api' }, effect } })
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ path, message }])
  })
})

describe('control-api "Faults": a matcher that can never meet its surface is refused', () => {
  const noEvent = 'requires the surface webhook: no other request has an event'
  const onlyToken = 'only POST /oauth/token has a grant_type'
  test.for([
    [{ surface: 'api', event: 'app.installed' }, 'match.event', noEvent],
    [{ event: 'app.installed' }, 'match.event', noEvent],
    [{ surface: 'api', path: 'v0/elements' }, 'match.path', 'matches no request of api: those are /v0, /v0/*'],
    [{ surface: 'api', path: '/oauth/token' }, 'match.path', 'matches no request of api: those are /v0, /v0/*'],
    [
      { path: '/elements' },
      'match.path',
      'matches no request of api or oauth: those are /v0, /v0/*, /oauth/*, /.well-known/*',
    ],
    [{ path: '/v0/courses?page=1' }, 'match.path', 'must end before the ?: a fault does not match by query'],
    [
      { surface: 'api', path: '/v0/courses/{id}/*' },
      'match.path',
      'must have * in place of {id}: no request has it in its path',
    ],
    [
      { path: '/.well-known/openid-configuration', app: 'notes' },
      'match.path',
      'matches requests that name no app and no organization',
    ],
    [
      { path: '/.well-known/jwks.json', organization: 'acme' },
      'match.path',
      'matches requests that name no app and no organization',
    ],
    [{ surface: 'webhook', grant_type: 'refresh_token' }, 'match.grant_type', 'requires the surface oauth or id_token'],
    [{ surface: 'webhook', method: 'GET' }, 'match.method', 'matches no request of webhook: those are POST'],
    [{ surface: 'webhook', path: 'hook' }, 'match.path', 'matches no request of webhook: those are /*'],
    [{ surface: 'oauth', method: 'PUT' }, 'match.method', 'matches no request of oauth: those are GET, HEAD, POST'],
    [{ surface: 'id_token', method: 'GET' }, 'match.method', 'matches no request of id_token: those are POST'],
    [{ surface: 'api', path: '/v0x/*' }, 'match.path', 'matches no request of api: those are /v0, /v0/*'],
    [{ surface: 'id_token', path: '/v0*' }, 'match.path', 'matches no request of id_token: those are /oauth/token'],
    [
      { surface: 'id_token', path: '/oauth/token/*' },
      'match.path',
      'matches no request of id_token: those are /oauth/token',
    ],
    [
      { method: 'BREW' },
      'match.method',
      'matches no request of api or oauth: those are GET, HEAD, POST, PUT, PATCH, DELETE',
    ],
    [{ grant_type: 'refresh_token', path: '/v0/*' }, 'match.path', `does not match /oauth/token: ${onlyToken}`],
    [
      { surface: 'oauth', path: '/oauth/authorize', grant_type: 'refresh_token' },
      'match.path',
      `does not match /oauth/token: ${onlyToken}`,
    ],
    [{ grant_type: 'refresh_token', method: 'GET' }, 'match.method', `must be POST: ${onlyToken}`],
    [
      { surface: 'id_token', grant_type: 'refresh_token' },
      'match.grant_type',
      'must be authorization_code: no other grant returns an id_token',
    ],
  ] as [object, string, string][])('%j: 400 at %s', async ([match, path, message], { call }) => {
    const effects: Record<string, string> = { webhook: 'drop', id_token: 'expired' }
    const effect = effects['surface' in match ? String(match.surface) : ''] ?? 'unavailable'
    const { status, body } = await call('/_admin/faults', { body: { match, effect } })
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ path, message }])
    expect((await call('/_admin/faults')).body.data).toEqual([])
  })

  test('so is one that ends before it can fire', async ({ call }) => {
    const { status, body } = await call('/_admin/faults', { body: { effect: 'unavailable', expires_in: 0 } })
    expect(status).toBe(400)
    const message = 'must be more than 0: the fault would end before it could fire'
    expect(body.errors).toEqual([{ path: 'expires_in', message }])
  })

  test('one that holds a single request, though it waits for two, keeps it until it is deleted', async ({ call }) => {
    const { status, body } = await call('/_admin/faults', { body: { effect: { hold: 2 }, times: 1 } })
    expect(status).toBe(201)
    const held = call('/v0/courses', { as: 'key_acme' })
    await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(1)
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
    await call(`/_admin/faults/${body.id}`, { method: 'DELETE' })
    expect((await held).status).toBe(200)
  })

  test('what can fire is not: a path of token requests beside grant_type, a method that gets a 405', async ({
    call,
  }) => {
    const add = async (body: object) =>
      (await call('/_admin/faults', { body: { effect: { status: 418 }, ...body } })).status
    expect(await add({ match: { grant_type: 'refresh_token', path: '/oauth/*', method: 'post' } })).toBe(201)
    expect(await add({ effect: { hold: 2 }, times: 2, match: { path: '/v0/*' } })).toBe(201)
    expect(await add({ match: { surface: 'oauth', path: '/oauth/token', method: 'GET' } })).toBe(201)
    expect((await call('/oauth/token')).status).toBe(418)
  })

  test.for(['/v0/*', '*', '/v0/elements/*/activities', '/oauth/token'])(
    'the path %s is fine',
    async (path, { call }) => {
      const { status } = await call('/_admin/faults', { body: { match: { path }, effect: 'unavailable' } })
      expect(status).toBe(201)
    },
  )

  test('the path that a surface has, without more, is fine', async ({ call }) => {
    const match = { surface: 'id_token', path: '/oauth/token' }
    expect((await call('/_admin/faults', { body: { match, effect: 'expired' } })).status).toBe(201)
  })

  test('an effect of another surface says which', async ({ call }) => {
    const { body } = await call('/_admin/faults', { body: { effect: 'drop' } })
    expect(body.errors[0].message).toBe('"drop" is an effect of the surface webhook: set match.surface to webhook')
  })
})

describe('control-api "Faults": webhooks', () => {
  test('replay: the same body and signature under another idempotency key', async ({
    install,
    fault,
    app,
    deliveries,
    call,
  }) => {
    await install()
    const [{ id }] = await deliveries()
    await fault('replay')
    await call(`/_admin/deliveries/${id}/redeliver`, { method: 'POST' })
    const [genuine, replayed] = app.received()
    expect(replayed?.raw).toEqual(genuine?.raw)
    expect(replayed?.headers['platform-signature']).toBe(genuine?.headers['platform-signature'])
    expect(replayed?.headers['platform-idempotency-key']).toMatch(/^evt_[A-Za-z0-9]{24}$/)
    expect(replayed?.headers['platform-idempotency-key']).not.toBe(genuine?.headers['platform-idempotency-key'])
  })

  test("reserialised: the compact body's signature on a spaced one", async ({ install, fault, app }) => {
    await fault('reserialised')
    await install()
    const [received] = app.received()
    const raw = received?.raw as Buffer
    expect(raw.toString()).toContain('\n')
    const compact = Buffer.from(JSON.stringify(JSON.parse(raw.toString())))
    expect(received?.headers['platform-signature']).toBe(signatureOf(compact))
    expect(received?.headers['platform-signature']).not.toBe(signatureOf(raw))
  })

  test('body: a text of the test, signed as it is', async ({ install, fault, app }) => {
    await fault({ body: '[] ' })
    await install()
    const [received] = app.received()
    expect(received?.raw.toString()).toBe('[] ')
    expect(received?.headers['platform-signature']).toBe(signatureOf(Buffer.from('[] ')))
  })

  test('signature: a text of the test', async ({ install, fault, app }) => {
    await fault({ signature: 'not hex' })
    await install()
    expect(app.received()[0]?.headers['platform-signature']).toBe('not hex')
  })

  test.for([
    { delay: '1s', signature: 'a' },
    { delay: '1s', body: 'a' },
    { delay: '1s', body: 'a', signature: 'a' },
  ])('%j: delay goes alone', async (effect, { fault, install, app }) => {
    const { status, body } = await fault(effect)
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ path: 'effect', message: 'delay cannot be combined with another field' }])
    await install()
    expect(app.received()).toHaveLength(1)
  })

  test('an attempt shows the body that it sent: the altered one, then the event', async ({ fault, install, call }) => {
    await fault({ body: '{"other":1}' })
    const { id } = (await install()).body.delivery
    const { attempts } = (await call(`/_admin/deliveries/${id}/redeliver`, { method: 'POST' })).body
    expect(attempts[0].request.body).toEqual({ other: 1 })
    expect(attempts[1].request.body).toMatchObject({ type: 'app.installed', data: { app: { id: 'notes' } } })
  })

  test('each attempt is an entry of the journal, without its secrets', async ({ install, app, call }) => {
    app.answers(503)
    const { credentials } = (await install()).body
    const { data } = (await call('/_admin/requests?surface=webhook')).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ method: 'POST', status: 503, app: 'notes', organization: 'acme', fault: null })
    expect(data[0].reason).toMatch(/^the app responded with 503; the app, or a proxy before it, is not ready: /)
    expect(data[0].request.headers['platform-signature']).toBe('[redacted]')
    expect(data[0].request.body.data.credentials.access_token).toBe('[redacted]')
    expect(JSON.stringify(data)).not.toContain(credentials.access_token)
  })
})

describe('control-api "Faults": id_tokens', () => {
  signIn('under a fault of the request the journal names that of the id_token', async ({ call, codeFor, token }) => {
    await call('/_admin/faults', { body: { match: { path: '/oauth/token' }, effect: { delay: 1 } } })
    const match = { surface: 'id_token' }
    const { id } = (await call('/_admin/faults', { body: { match, effect: 'no_kid' } })).body
    const redirect_uri = 'http://localhost:3000/callback'
    await token({ grant_type: 'authorization_code', code: await codeFor('ada'), redirect_uri })
    const [entry] = (await call('/_admin/requests?path=/oauth/token')).body.data
    expect(entry).toMatchObject({ fault: id, reason: 'Injected fault: no_kid' })
  })

  signIn.for(['no_nonce', { omit: ['nonce'] }] as const)(
    '%j waits for a sign-in that sent a nonce',
    async (effect, { call, codeFor, token }) => {
      await call('/_admin/faults', { body: { match: { surface: 'id_token' }, effect, times: 1 } })
      const signInWith = async (query: Record<string, string>) => {
        const code = await codeFor('ada', query)
        await token({ grant_type: 'authorization_code', code, redirect_uri: 'http://localhost:3000/callback' })
        return (await call('/_admin/faults')).body.data[0].hits
      }
      expect(await signInWith({})).toBe(0)
      expect(await signInWith({ nonce: 'n' })).toBe(1)
    },
  )

  signIn('a redirect that is truncated does not arrive', async ({ call, codeFor }) => {
    const fault = { effect: { connection: 'truncate' }, phase: 'after', times: 1 }
    await call('/_admin/faults', { body: { match: { surface: 'oauth' }, ...fault } })
    await expect(codeFor('ada')).rejects.toThrow('socket hang up')
    const [entry] = (await call('/_admin/requests?path=/oauth/authorize')).body.data
    expect(entry).toMatchObject({ status: null, reason: 'Injected fault: connection truncate' })
  })

  signIn('omit: claims are left out, and the signature holds', async ({ call, codeFor, token }) => {
    await call('/_admin/faults', { body: { match: { surface: 'id_token' }, effect: { omit: ['exp', 'email'] } } })
    const form = {
      grant_type: 'authorization_code',
      code: await codeFor('ada'),
      redirect_uri: 'http://localhost:3000/callback',
    }
    const claims = decodeJwt((await token(form)).body.id_token)
    expect(claims).not.toHaveProperty('exp')
    expect(claims).not.toHaveProperty('email')
    expect(claims).toHaveProperty('sub')
  })
})
