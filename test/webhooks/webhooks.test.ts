import { describe, expect } from 'vitest'
import { test } from '../harness/webhook-test.js'

describe('wire §7: the envelope and its headers', () => {
  test('app.installed is a signed POST of JSON with the envelope', async ({ install, app }) => {
    const { body } = await install()
    const [received] = app.received()
    expect(received?.method).toBe('POST')
    expect(received?.isSignedWith('notes_signing')).toBe(true)
    expect(Object.keys(received?.headers ?? {}).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'platform-idempotency-key',
      'platform-signature',
    ])
    expect(received?.headers['content-type']).toBe('application/json')
    expect(received?.headers['platform-signature']).toMatch(/^[0-9a-f]{64}$/)
    expect(received?.headers['platform-idempotency-key']).toBe(received?.body.id)
    expect(received?.body).toEqual({
      id: expect.stringMatching(/^evt_[A-Za-z0-9]{24}$/),
      type: 'app.installed',
      created_at: '2026-01-01T00:00:00.000Z',
      installation_id: body.installation.id,
      data: {
        organization: { id: 'acme', name: 'Acme Corp' },
        app: { id: 'notes', name: 'Notes', version: '1.0.0' },
        installer: { id: 'ada', email: 'ada@acme.test', full_name: 'Ada Owner' },
        credentials: body.credentials,
      },
    })
  })

  test('the client secret is never in a payload', async ({ install, app }) => {
    await install()
    expect(app.received()[0]?.raw.toString()).not.toContain('notes_secret')
  })

  describe('with header_prefix', () => {
    test.override({ settings: { headerPrefix: 'X-Acme' } })

    test('it replaces Platform', async ({ install, app }) => {
      await install()
      const headers = app.received()[0]?.headers ?? {}
      expect(headers['x-acme-signature']).toMatch(/^[0-9a-f]{64}$/)
      expect(headers['x-acme-idempotency-key']).toMatch(/^evt_/)
      expect(headers['platform-signature']).toBeUndefined()
    })
  })
})

describe('spec §6: the acknowledgement', () => {
  test('the change is made before the app is called: its handler can use the credentials', async ({
    install,
    app,
    reads,
  }) => {
    const statuses: number[] = []
    app.handles(async ({ body }, response) => {
      statuses.push(await reads(body.data.credentials.access_token))
      response.writeHead(200).end()
    })
    const { body } = await install()
    expect(statuses).toEqual([200])
    expect(body.delivery).toMatchObject({ state: 'acknowledged', due_at: null })
  })

  for (const status of [200, 201, 204, 299]) {
    test(`${status} acknowledges`, async ({ install, app }) => {
      app.answers(status)
      const { delivery } = (await install()).body
      expect(delivery.state).toBe('acknowledged')
      expect(delivery.attempts).toMatchObject([{ status, error: null }])
    })
  }

  for (const status of [300, 302, 400, 404, 410, 500, 503]) {
    test(`${status} does not: the installation succeeds and the redirect proceeds`, async ({ install, app }) => {
      app.answers(status, { location: '/elsewhere' })
      const { installation, delivery, redirect_url } = (await install()).body
      expect(installation.state).toBe('installed')
      expect(redirect_url).toBe('https://notes.test/setup?organization=acme')
      expect(delivery).toMatchObject({ state: 'retrying', due_at: '2026-01-01T00:00:10.000Z' })
      expect(delivery.attempts).toMatchObject([{ status, error: expect.stringContaining(String(status)) }])
      expect(app.received()).toHaveLength(1)
    })
  }

  test('an endpoint that is down does not fail the installation', async ({ install, app }) => {
    await app.close()
    const { installation, delivery } = (await install()).body
    expect(installation.state).toBe('installed')
    expect(delivery.state).toBe('retrying')
    expect(delivery.attempts).toMatchObject([
      { status: null, response: null, error: expect.stringContaining('REFUSED') },
    ])
  })

  test('an endpoint that breaks the connection does not either', async ({ install, app }) => {
    app.handles((_, response) => void response.socket?.destroy())
    expect((await install()).body.delivery.state).toBe('retrying')
  })

  describe('within the window', () => {
    test.override({ settings: { ackWindow: '500ms' } })

    test('an endpoint that does not answer in time is retried; the installation and the redirect proceed', async ({
      install,
      app,
      advance,
    }) => {
      app.neverAnswers()
      const started = performance.now()
      const { installation, delivery, redirect_url } = (await install()).body
      expect(performance.now() - started).toBeGreaterThanOrEqual(499)
      expect(installation.state).toBe('installed')
      expect(redirect_url).toBe('https://notes.test/setup?organization=acme')
      expect(delivery.state).toBe('retrying')
      app.answers(200)
      await advance('10s')
      expect(app.received('app.installed')).toHaveLength(2)
    })

    test('other events have the attempt time-out instead', async ({ install, call, app }) => {
      const { id } = (await install()).body.installation
      let answer = () => {}
      app.handles((_, response) => {
        answer = () => void response.writeHead(200).end()
      })
      const event = { type: 'note.created', installation: id, data: {} }
      const { body } = await call('/_admin/events', { body: event })
      expect(body.state).toBe('pending')
      answer()
      expect((await call('/_admin/deliveries/settled')).body).toEqual({ settled: true })
      expect((await call(`/_admin/deliveries/${body.id}`)).body.state).toBe('acknowledged')
    })
  })

  describe('with a short attempt_timeout', () => {
    test.override({ settings: { attemptTimeout: '500ms' } })

    test('an uninstall does not wait longer for an app that never answers', async ({ install, uninstall, app }) => {
      const { id } = (await install()).body.installation
      app.neverAnswers()
      const { body } = await uninstall(id)
      expect(body).toMatchObject({ installation: { state: 'uninstalled' }, delivery: { state: 'retrying' } })
    })
  })
})

describe('wire §7: retries', () => {
  test('10 s and 100 s after the one before, the same body, id and signature, then no more', async ({
    install,
    app,
    advance,
    deliveries,
  }) => {
    app.answers(500)
    const { delivery } = (await install()).body
    await advance('9999ms')
    expect(app.received()).toHaveLength(1)
    await advance('1ms')
    expect(app.received()).toHaveLength(2)
    expect((await deliveries())[0]).toMatchObject({ state: 'retrying', due_at: '2026-01-01T00:01:50.000Z' })
    await advance('99s')
    expect(app.received()).toHaveLength(2)
    await advance('1s')
    expect(app.received()).toHaveLength(3)
    await advance('30d')
    expect(app.received()).toHaveLength(3)

    const [first, ...others] = app.received()
    for (const other of others) {
      expect(other.raw).toEqual(first?.raw)
      expect(other.headers['platform-signature']).toBe(first?.headers['platform-signature'])
      expect(other.headers['platform-idempotency-key']).toBe(first?.headers['platform-idempotency-key'])
    }
    const [ended] = await deliveries()
    expect(ended).toMatchObject({ id: delivery.id, state: 'failed', due_at: null })
    expect(ended.attempts.map(({ at }: { at: string }) => at)).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:10.000Z',
      '2026-01-01T00:01:50.000Z',
    ])
  })

  test('one advance over both due times makes both attempts, in order', async ({ install, app, advance }) => {
    app.answers(500)
    await install()
    await advance('1h')
    expect(app.received()).toHaveLength(3)
  })

  test('those that fall due together arrive in the order of their events, whichever failed first', async ({
    install,
    app,
    advance,
    trigger,
  }) => {
    const { id } = (await install()).body.installation
    const event = (type: string) => trigger(id, type)
    const open: (() => void)[] = []
    app.handles((_, response) => void open.push(() => response.writeHead(503).end()))
    const first = event('first')
    await app.arrival('first')
    app.answers(503)
    await event('second')
    for (const answer of open) answer()
    expect((await first).body.state).toBe('retrying')
    app.answers(200)
    app.forget()
    await advance('10s')
    expect(app.received().map(({ body }) => body.type)).toEqual(['first', 'second'])
  })

  test('an attempt that fails after a redelivery was acknowledged does not reopen the delivery', async ({
    install,
    app,
    advance,
    call,
    trigger,
  }) => {
    const { id } = (await install()).body.installation
    const open: (() => void)[] = []
    app.handles((_, response) => void open.push(() => response.writeHead(503).end()))
    const slow = trigger(id, 'note.created')
    await app.arrival('note.created')
    app.answers(200)
    const [, waiting] = (await call('/_admin/deliveries')).body.data
    const redelivered = await call(`/_admin/deliveries/${waiting.id}/redeliver`, { method: 'POST' })
    expect(redelivered.body).toMatchObject({ state: 'acknowledged', attempts: [{ status: 200 }] })
    for (const answer of open) answer()
    const { body } = await slow
    expect(body).toMatchObject({ state: 'acknowledged', due_at: null, attempts: [{ status: 200 }, { status: 503 }] })
    await advance('1h')
    expect(app.received('note.created')).toHaveLength(2)
  })

  test('an attempt under way is not made again when fixtures are added', async ({ app, call, install }) => {
    app.handles(async (_, response) => {
      await call('/_admin/fixtures', { body: { users: [{ email: 'new@acme.test' }] } })
      response.writeHead(500).end()
    })
    await install()
    await call('/_admin/deliveries/settled')
    expect(app.received()).toHaveLength(1)
  })

  test('an acknowledged retry is the last', async ({ install, app, advance, deliveries }) => {
    app.answers(500)
    await install()
    app.answers(200)
    await advance('1h')
    expect(app.received()).toHaveLength(2)
    expect((await deliveries())[0]).toMatchObject({ state: 'acknowledged', due_at: null })
  })

  describe('with retry_schedule', () => {
    test.override({ settings: { retrySchedule: ['1s'] } })

    test('the waits are those of the setting', async ({ install, app, advance, deliveries }) => {
      app.answers(500)
      expect((await install()).body.delivery.due_at).toBe('2026-01-01T00:00:01.000Z')
      await advance('1s')
      expect((await deliveries())[0]).toMatchObject({ state: 'failed' })
      expect(app.received()).toHaveLength(2)
    })
  })

  describe('without a seed', () => {
    test.override({ settings: { seed: undefined, now: undefined } })

    test('an attempt says how many milliseconds it took', async ({ install, app }) => {
      app.answers(200)
      const [attempt] = (await install()).body.delivery.attempts
      expect(attempt.duration).toBeGreaterThanOrEqual(0)
      expect(Number.isInteger(attempt.duration)).toBe(true)
    })
  })

  describe('while the clock runs', () => {
    test.override({ settings: { seed: undefined, now: undefined, retrySchedule: ['20ms', '20ms'] } })

    test('they are made when their time has come', async ({ install, app, call, deliveries }) => {
      app.answers(500)
      await install()
      await app.arrival('app.installed', 3)
      expect((await call('/_admin/deliveries/settled')).body).toEqual({ settled: true })
      expect((await deliveries())[0].state).toBe('failed')
    })
  })

  test('what is due at different instants runs in due order', async ({ install, app, advance, trigger }) => {
    app.answers(500)
    const acme = (await install()).body.installation
    await advance('5s')
    await trigger(acme.id, 'later')
    app.forget()
    await advance('10s')
    expect(app.types()).toEqual(['app.installed', 'later'])
  })
})

describe('control-api: reset, snapshots and the whole world', () => {
  test('reset takes pending retries with it', async ({ install, app, advance, call, deliveries }) => {
    app.answers(500)
    await install()
    expect((await call('/_admin/reset', { method: 'POST' })).status).toBe(200)
    await advance('1h')
    expect(app.received()).toHaveLength(1)
    expect(await deliveries()).toEqual([])
  })

  test('an attempt in flight is aborted when its organization is deleted', async ({ install, app, call }) => {
    app.neverAnswers()
    const pending = install()
    await app.arrival('app.installed')
    await call('/_admin/organizations/acme', { method: 'DELETE' })
    expect((await call('/_admin/deliveries/settled?timeout=0')).body).toEqual({ settled: true })
    await pending
    expect((await call('/_admin/requests?surface=webhook')).body.data).toEqual([])
  })

  test('an attempt in flight is aborted by a reset, and its outcome discarded', async ({
    install,
    app,
    call,
    deliveries,
  }) => {
    app.neverAnswers()
    const pending = install()
    await app.arrival('app.installed')
    await call('/_admin/reset', { method: 'POST' })
    await pending
    expect((await call('/_admin/deliveries/settled?timeout=0')).body).toEqual({ settled: true })
    expect(await deliveries()).toEqual([])
    expect((await call('/_admin/requests?surface=webhook')).body.data).toEqual([])
    expect((await call('/_admin/installations')).body.data).toEqual([])
    app.answers(200)
    expect((await install()).status).toBe(201)
  })

  describe('with a long attempt_timeout', () => {
    test.override({ settings: { attemptTimeout: '10m' } })

    test('a reset ends the connection of an attempt under way', async ({ install, app, call, trigger }) => {
      const { id } = (await install()).body.installation
      const closed = new Promise((resolve) => app.handles((_, response) => void response.on('close', resolve)))
      const pending = trigger(id, 'note.created')
      await app.arrival('note.created')
      await call('/_admin/reset', { method: 'POST' })
      await closed
      await pending
    })
  })

  test('an attempt that a restore aborts is made again, as if it had never been', async ({
    install,
    app,
    call,
    deliveries,
  }) => {
    app.neverAnswers()
    const pending = install()
    await app.arrival('app.installed')
    await call('/_admin/snapshots', { body: { name: 'calling' } })
    app.answers(200)
    await call('/_admin/snapshots/calling/restore', { method: 'POST' })
    await pending
    expect((await call('/_admin/deliveries/settled')).body).toEqual({ settled: true })
    expect(app.received()).toHaveLength(2)
    expect(await deliveries()).toMatchObject([{ state: 'acknowledged', attempts: [{ status: 200, error: null }] }])
    expect((await deliveries())[0].attempts).toHaveLength(1)
  })

  test('an advance that a restore interrupts goes no further: what the snapshot has pending stays pending', async ({
    install,
    app,
    advance,
    call,
  }) => {
    app.answers(500)
    await install()
    await call('/_admin/snapshots', { body: { name: 'pending' } })
    app.forget()
    app.neverAnswers()
    const advanced = advance('1h')
    await app.arrival('app.installed')
    await call('/_admin/snapshots/pending/restore', { method: 'POST' })
    app.answers(200)
    await advanced
    expect((await call('/_admin/clock')).body.now).toBe('2026-01-01T00:00:00.000Z')
    expect(app.received()).toHaveLength(1)
    expect((await call('/_admin/deliveries')).body.data).toMatchObject([{ state: 'retrying' }])
  })

  test('restoring a snapshot brings its pending retries back, once', async ({ install, app, advance, call }) => {
    app.answers(500)
    await install()
    await call('/_admin/snapshots', { body: { name: 'failing' } })
    app.answers(200)
    await advance('1h')
    expect(app.received()).toHaveLength(2)
    await call('/_admin/snapshots/failing/restore', { method: 'POST' })
    await advance('1h')
    expect(app.received()).toHaveLength(3)
    expect(app.received()[2]?.raw).toEqual(app.received()[0]?.raw)
  })

  test('an event after a reset, a restore or a replacement has another id, as an app that has had it ignores it', async ({
    install,
    app,
    call,
  }) => {
    const { body: exported } = await call('/_admin/state')
    await call('/_admin/snapshots', { body: { name: 'before' } })
    const again = [
      () => call('/_admin/reset', { method: 'POST' }),
      () => call('/_admin/snapshots/before/restore', { method: 'POST' }),
      () => call('/_admin/state', { method: 'PUT', body: exported }),
      () => call('/_admin/reset', { method: 'POST' }),
    ]
    const installed = [await install()]
    for (const back of again) {
      await back()
      installed.push(await install())
    }
    const sent = app.received().map(({ body }) => body.id)
    expect(new Set(sent).size).toBe(again.length + 1)
    // Records and secrets are those of the same calls before.
    expect(new Set(installed.map(({ body }) => body.credentials.access_token)).size).toBe(1)
  })

  test('an exported world has the same retry pending', async ({ install, app, advance, call, deliveries }) => {
    app.answers(500)
    await install()
    const state = (await call('/_admin/state')).body
    const before = await deliveries()
    await call('/_admin/reset', { method: 'POST' })
    expect((await call('/_admin/state', { method: 'PUT', body: state })).status).toBe(200)
    expect(await deliveries()).toEqual(before)
    app.answers(200)
    await advance('10s')
    expect(app.received()).toHaveLength(2)
    expect(app.received()[1]?.raw).toEqual(app.received()[0]?.raw)
    expect((await deliveries())[0].state).toBe('acknowledged')
  })
})

describe('control-api: deliveries', () => {
  test('every attempt is shown, secrets redacted', async ({ install, app, call, deliveries }) => {
    app.handles((_, response) => {
      response.writeHead(500, { 'content-type': 'application/json', 'x-trace': 'abc' }).end('{"why":"no"}')
    })
    const { body } = await install()
    const { access_token, refresh_token } = body.credentials
    const { delivery } = body
    expect(delivery).toEqual({
      id: expect.any(String),
      event: { id: app.received()[0]?.body.id, type: 'app.installed' },
      installation: body.installation.id,
      organization: 'acme',
      url: app.url,
      state: 'retrying',
      due_at: '2026-01-01T00:00:10.000Z',
      attempts: [
        {
          at: '2026-01-01T00:00:00.000Z',
          status: 500,
          duration: expect.any(Number),
          error: expect.any(String),
          fault: null,
          request: { headers: expect.any(Object), body: expect.objectContaining({ type: 'app.installed' }) },
          response: { headers: expect.objectContaining({ 'x-trace': 'abc' }), body: { why: 'no' } },
        },
      ],
    })
    expect((await call(`/_admin/deliveries/${delivery.id}`)).body).toEqual(delivery)
    expect(await deliveries()).toEqual([delivery])
    const signature = app.received()[0]?.headers['platform-signature']
    for (const secret of [access_token, refresh_token, signature]) {
      expect((await call('/_admin/deliveries')).text).not.toContain(secret)
    }
    expect((await call('/_admin/deliveries/nope')).status).toBe(404)
  })

  test('each attempt is in the journal as it was sent, and under a fault as that left it', async ({
    install,
    push,
    fault,
    app,
    call,
    trigger,
  }) => {
    await push({ webhook: { url: `${app.url}?app=notes` } })
    const { id } = (await install()).body.installation
    const injected = (await fault('altered_body')).body
    await trigger(id, 'note.created')
    const [genuine, altered] = (await call('/_admin/requests?surface=webhook')).body.data
    const [first, second] = app.received()
    expect(genuine).toEqual({
      id: 1,
      at: '2026-01-01T00:00:00.000Z',
      surface: 'webhook',
      method: 'POST',
      path: '/webhook',
      query: { app: 'notes' },
      status: 200,
      duration: 0,
      app: 'notes',
      organization: 'acme',
      user: null,
      reason: null,
      fault: null,
      warnings: [],
      request: {
        headers: {
          host: `127.0.0.1:${app.port}`,
          'content-type': 'application/json',
          'platform-signature': '[redacted]',
          'platform-idempotency-key': first?.body.id,
        },
        body: expect.objectContaining({ id: first?.body.id }),
        length: first?.raw.length,
      },
      response: { headers: expect.objectContaining({ connection: 'close' }), body: null, length: 0 },
    })
    expect(second?.body).toMatchObject({ type: 'note.created', altered: true })
    expect(altered).toMatchObject({
      reason: 'Injected fault: altered_body',
      fault: injected.id,
      request: { body: second?.body, length: second?.raw.length },
    })
    // The delivery's own body is kept once.
    const { deliveries } = (await call('/_admin/state')).body
    const kept = deliveries.map(({ attempts }: { attempts: { request: object }[] }) => attempts[0]?.request)
    expect(kept).toMatchObject([{ body: null }, { body: second?.raw.toString() }])
  })

  test('the list filters by event, installation, organization and state', async ({
    install,
    uninstall,
    app,
    call,
    deliveries,
  }) => {
    const { id } = (await install()).body.installation
    app.answers(500)
    await install({ organization: 'zenith' })
    await uninstall(id)
    const kinds = async (query: string) =>
      (await deliveries(query)).map(({ event, organization }) => `${organization} ${event.type}`)
    expect(await kinds('')).toEqual(['acme app.installed', 'zenith app.installed', 'acme app.uninstalled'])
    expect(await kinds('?event=app.installed')).toEqual(['acme app.installed', 'zenith app.installed'])
    expect(await kinds(`?installation=${id}`)).toEqual(['acme app.installed', 'acme app.uninstalled'])
    expect(await kinds('?organization=zenith')).toEqual(['zenith app.installed'])
    expect(await kinds('?state=retrying&organization=acme')).toEqual(['acme app.uninstalled'])
    expect((await call('/_admin/deliveries?state=lost')).status).toBe(400)
    expect((await call('/_admin/deliveries?type=x')).status).toBe(400)
  })

  test('a redelivery sends the same id, body and signature once more', async ({ install, app, call }) => {
    const { delivery } = (await install()).body
    const { status, body } = await call(`/_admin/deliveries/${delivery.id}/redeliver`, { method: 'POST' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: delivery.id, state: 'acknowledged', attempts: [{ status: 200 }, { status: 200 }] })
    const [first, second] = app.received()
    expect(second?.raw).toEqual(first?.raw)
    expect(second?.headers).toEqual(first?.headers)
    expect((await call('/_admin/deliveries/nope/redeliver', { method: 'POST' })).status).toBe(404)
  })

  test('a redelivery that is acknowledged ends the retries; one that fails changes nothing', async ({
    install,
    app,
    call,
    advance,
  }) => {
    app.answers(500)
    const { delivery } = (await install()).body
    const redeliver = () => call(`/_admin/deliveries/${delivery.id}/redeliver`, { method: 'POST' })
    expect((await redeliver()).body).toMatchObject({ state: 'retrying', due_at: delivery.due_at })
    app.answers(200)
    expect((await redeliver()).body).toMatchObject({ state: 'acknowledged', due_at: null })
    await advance('1h')
    expect(app.received()).toHaveLength(3)
    app.answers(500)
    expect((await redeliver()).body.state).toBe('acknowledged')
  })

  test('settled names what is in flight when its time-out is over, and answers when it has ended', async ({
    install,
    app,
    call,
  }) => {
    let answer = () => {}
    app.handles((_, response) => {
      answer = () => void response.writeHead(200).end()
    })
    const pending = install()
    await app.arrival('app.installed')
    const early = (await call('/_admin/deliveries/settled?timeout=20ms')).body
    expect(early).toEqual({ settled: false, waiting: [expect.any(String)] })
    const later = call('/_admin/deliveries/settled?timeout=5s')
    answer()
    expect((await later).body).toEqual({ settled: true })
    expect((await pending).body.delivery).toMatchObject({ id: early.waiting[0], state: 'acknowledged' })
  })

  test('settled lets real time pass first, for what an app does after it has acknowledged', async ({ call }) => {
    const begun = performance.now()
    expect((await call('/_admin/deliveries/settled?background=60ms')).body).toEqual({ settled: true })
    expect(performance.now() - begun).toBeGreaterThan(50)
  })

  test('what is overdue keeps settled waiting before its attempt has begun', async ({
    install,
    app,
    call,
    advance,
    trigger,
  }) => {
    const { id } = (await install()).body.installation
    const send = async (type: string) => (await trigger(id, type)).body.id
    app.answers(500)
    const first = await send('first')
    await advance('1s')
    const second = await send('second')

    const open: (() => void)[] = []
    app.handles((_, response) => void open.push(() => response.writeHead(200).end()))
    app.forget()
    // Both fall due at once; the second is not begun before the first, which was due a second earlier, has ended.
    await call('/_admin/clock/freeze', { body: { at: '2026-01-01T00:00:30Z' } })
    await app.arrival('first')
    const early = (await call('/_admin/deliveries/settled?timeout=20ms')).body
    expect(early).toEqual({ settled: false, waiting: [first, second] })
    expect(app.types()).toEqual(['first'])

    const later = call('/_admin/deliveries/settled')
    open.shift()?.()
    await app.arrival('second')
    const between = (await call('/_admin/deliveries/settled?timeout=20ms')).body
    expect(between).toEqual({ settled: false, waiting: [second] })
    open.shift()?.()
    expect((await later).body).toEqual({ settled: true })
    expect((await call(`/_admin/deliveries/${second}`)).body).toMatchObject({ state: 'acknowledged', due_at: null })
  })

  test('retries that are due later do not count as unsettled', async ({ install, app, call }) => {
    app.answers(500)
    await install()
    expect((await call('/_admin/deliveries/settled')).body).toEqual({ settled: true })
    expect((await call('/_admin/deliveries/settled?timeout=1h')).body).toEqual({ settled: true })
    expect((await call('/_admin/deliveries/settled?timeout=soon')).status).toBe(400)
  })

  describe('with retention', () => {
    test.override({ settings: { retention: 2 } })

    test('the newest ended deliveries are kept, and all that are not ended', async ({
      install,
      app,
      deliveries,
      trigger,
    }) => {
      app.answers(500)
      const { id } = (await install()).body.installation
      app.answers(200)
      for (const type of ['a', 'b', 'c']) {
        await trigger(id, type)
      }
      expect((await deliveries()).map(({ event }) => event.type)).toEqual(['app.installed', 'b', 'c'])
    })
  })
})

describe('control-api: custom events', () => {
  test('any event is sent, signed, and answered 201 with its delivery', async ({ install, app, call }) => {
    const { id } = (await install()).body.installation
    const data = { lesson: 'page', nested: { list: [1, null, 'ü'] }, ['__proto__']: 'data' }
    const { status, body } = await call('/_admin/events', { body: { type: 'lesson.done', installation: id, data } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ installation: id, state: 'acknowledged', event: { type: 'lesson.done' } })
    const [, received] = app.received()
    expect(received?.isSignedWith('notes_signing')).toBe(true)
    expect(received?.body).toEqual({
      id: body.event.id,
      type: 'lesson.done',
      created_at: '2026-01-01T00:00:00.000Z',
      installation_id: id,
      data,
    })
    expect(Object.keys(received?.body.data)).toEqual(Object.keys(data))
  })

  test("the manifest's events leave the others out, but never the lifecycle events", async ({
    install,
    uninstall,
    push,
    app,
    trigger,
  }) => {
    await push({ webhook: { url: app.url, events: ['lesson.done'] } })
    const { id } = (await install()).body.installation
    const event = (type: string) => trigger(id, type)
    expect((await event('lesson.done')).body.state).toBe('acknowledged')
    const error = 'webhook.events of notes 1.0.0 does not list lesson.begun (it lists: lesson.done); nothing was sent'
    const dropped = { state: 'dropped', due_at: null, attempts: [{ status: null, fault: null, error, response: null }] }
    expect(await event('lesson.begun')).toMatchObject({ status: 201, body: dropped })
    for (const type of ['app.installed', 'app.uninstalled']) expect((await event(type)).body.state).toBe('acknowledged')
    await uninstall(id)
    const sent = ['app.installed', 'app.uninstalled']
    expect(app.types()).toEqual(['app.installed', 'lesson.done', ...sent, 'app.uninstalled'])
    await push({ webhook: { url: app.url, events: [] } })
    const { installation } = (await install()).body
    expect((await trigger(installation.id, 'lesson.done')).body.attempts[0].error).toContain('(it lists: nothing)')
  })

  test('is retried like the others', async ({ install, app, advance, trigger }) => {
    const { id } = (await install()).body.installation
    app.answers(500)
    await trigger(id, 'x')
    await advance('1h')
    expect(app.received('x')).toHaveLength(3)
  })

  test('bad bodies, unknown installations and ended ones are refused', async ({ install, uninstall, call }) => {
    const { id } = (await install()).body.installation
    const send = async (body: object) => (await call('/_admin/events', { body })).status
    expect(await send({ type: 'x', installation: id, data: 'text' })).toBe(400)
    expect(await send({ type: '', installation: id, data: {} })).toBe(400)
    expect(await send({ type: 'x', data: {} })).toBe(400)
    expect(await send({ type: 'x', installation: 'nope', data: {} })).toBe(404)
    await uninstall(id)
    expect(await send({ type: 'x', installation: id, data: {} })).toBe(409)
  })

  test('events of an organization arrive in the order in which they were sent', async ({
    install,
    push,
    app,
    call,
    trigger,
  }) => {
    await push({ webhook: { url: `http://localhost:${app.port}/webhook` } })
    const { id } = (await install()).body.installation
    app.forget()
    const types = Array.from({ length: 150 }, (_, index) => `e${index}`)
    const answers = types.map((type) => trigger(id, type))
    await Promise.all(answers)
    // An attempt that a busy machine did not answer in its time has been sent all the same.
    await app.arrival(undefined, types.length)
    const deliveries: { event: { id: string } }[] = (await call('/_admin/deliveries')).body.data
    const order = deliveries.slice(1).map(({ event }) => event.id)
    expect(app.received().map(({ body }) => body.id)).toEqual(order)
  })

  test('an app that does not answer does not keep the next event waiting', async ({ install, app, trigger }) => {
    const { id } = (await install()).body.installation
    const open: (() => void)[] = []
    app.handles((_, response) => void open.push(() => response.writeHead(200).end()))
    const slow = trigger(id, 'slow')
    await app.arrival('slow')
    app.answers(200)
    const next = await trigger(id, 'next')
    expect(next.body.state).toBe('acknowledged')
    for (const answer of open) answer()
    expect((await slow).body.state).toBe('acknowledged')
  })

  test('at most 64 attempts are under way at once; the rest follow in order', async ({
    install,
    app,
    call,
    trigger,
  }) => {
    const { id } = (await install()).body.installation
    app.forget()
    const open: (() => void)[] = []
    app.handles((_, response) => void open.push(() => response.writeHead(200).end()))
    const answers = Array.from({ length: 100 }, (_, index) => trigger(id, `e${index}`))
    await app.arrival(undefined, 64)
    // The announcement of the installation, and one for each trigger that has arrived.
    while ((await call('/_admin/deliveries')).body.data.length < 101);
    const { body } = await call('/_admin/deliveries/settled?timeout=1ms')
    expect(body.waiting).toHaveLength(100)
    expect(app.received()).toHaveLength(64)
    app.answers(200)
    for (const answer of open) answer()
    await Promise.all(answers)
    await app.arrival(undefined, 100)
    expect((await call('/_admin/deliveries/settled')).body).toEqual({ settled: true })
    const deliveries: { state: string; event: { id: string } }[] = (await call('/_admin/deliveries')).body.data
    expect(deliveries.every(({ state }) => state === 'acknowledged')).toBe(true)
    expect(app.received().map(({ body }) => body.id)).toEqual(deliveries.slice(1).map(({ event }) => event.id))
  })

  test('a reset with 64 attempts under way and more that wait makes room for 64 again', async ({
    install,
    app,
    call,
    trigger,
  }) => {
    app.handles(({ type }, response) => void (type === 'app.installed' && response.end()))
    for (let round = 0; round < 2; round++) {
      const { id } = (await install()).body.installation
      app.forget()
      const pending = Array.from({ length: 66 }, () => trigger(id, 'note.created'))
      await app.arrival('note.created', 64)
      await expect.poll(async () => (await call('/_admin')).body.counts.deliveries).toBe(67)
      expect(app.received('note.created')).toHaveLength(64)
      expect((await call('/_admin/reset', { method: 'POST' })).status).toBe(200)
      await Promise.all(pending)
    }
  })
})
