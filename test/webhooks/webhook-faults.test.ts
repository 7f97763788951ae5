import { createHmac } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { Received } from '../harness/receiver.js'
import { test } from '../harness/webhook-test.js'

const hmac = (raw: Buffer) => createHmac('sha256', 'notes_signing').update(raw).digest('hex')
const signatureOf = (received: Received | undefined) => received?.headers['platform-signature']

describe('control-api: faults of webhooks', () => {
  test('drop: the app hears nothing, and nothing is retried', async ({ install, fault, app, advance, deliveries }) => {
    const injected = (await fault('drop')).body
    const { installation, delivery, redirect_url } = (await install()).body
    expect(installation.state).toBe('installed')
    expect(redirect_url).not.toBeNull()
    expect(delivery).toMatchObject({ state: 'dropped', due_at: null, attempts: [{ status: null, fault: injected.id }] })
    await advance('1h')
    expect(app.received()).toEqual([])
    expect(await deliveries('?state=dropped')).toHaveLength(1)
  })

  test('event may have * for any text', async ({ install, fault }) => {
    await fault('drop', { match: { surface: 'webhook', event: 'course.*' } })
    await fault('drop', { match: { surface: 'webhook', event: 'app.*' } })
    const { delivery } = (await install()).body
    expect(delivery.attempts).toHaveLength(1)
    expect(delivery.state).toBe('dropped')
  })

  test('drop on app.uninstalled: the tokens end all the same', async ({ install, uninstall, fault, reads }) => {
    const { body } = await install()
    await fault('drop')
    expect((await uninstall(body.installation.id)).body.installation.state).toBe('uninstalled')
    expect(await reads(body.credentials.access_token)).toBe(401)
  })

  test('duplicate: sent twice, the same id, body and signature', async ({ install, fault, app, advance }) => {
    await fault('duplicate')
    const { delivery } = (await install()).body
    expect(delivery.state).toBe('acknowledged')
    expect(delivery.attempts).toHaveLength(2)
    const [first, second] = app.received()
    expect(second?.raw).toEqual(first?.raw)
    expect(second?.headers).toEqual(first?.headers)
    await advance('1h')
    expect(app.received()).toHaveLength(2)
  })

  test('duplicate: a pair counts as one attempt of the schedule', async ({ install, fault, app, advance }) => {
    await fault('duplicate')
    app.answers(500)
    await install()
    await advance('1h')
    expect(app.received()).toHaveLength(4)
  })

  test("delay: sent later on the emulator's clock; the redirect does not wait", async ({
    install,
    fault,
    app,
    advance,
    deliveries,
    call,
  }) => {
    const injected = (await fault({ delay: '5s' })).body
    const { delivery, redirect_url } = (await install()).body
    expect(delivery).toMatchObject({ state: 'pending', due_at: '2026-01-01T00:00:05.000Z', attempts: [] })
    expect(redirect_url).not.toBeNull()
    expect((await call('/_admin/deliveries/settled')).body).toEqual({ settled: true })
    await advance('4999ms')
    expect(app.received()).toEqual([])
    await advance('1ms')
    expect(app.received()).toHaveLength(1)
    const [after] = await deliveries()
    expect(after).toMatchObject({ state: 'acknowledged', attempts: [{ status: 200, fault: injected.id }] })
    expect((await call('/_admin/state')).body.deliveries).toMatchObject([{ held: null }])
  })

  test('delay: a fault that always fires delays each attempt once', async ({ install, fault, app, advance }) => {
    await fault({ delay: '5s' }, { times: undefined })
    app.answers(500)
    await install()
    await advance('5s')
    expect(app.received()).toHaveLength(1)
    await advance('14s')
    expect(app.received()).toHaveLength(1)
    await advance('1s')
    expect(app.received()).toHaveLength(2)
  })

  test('delay on app.uninstalled: the tokens work until it was sent', async ({
    install,
    uninstall,
    fault,
    advance,
    reads,
    call,
  }) => {
    const { body } = await install()
    await fault({ delay: '5s' })
    expect((await uninstall(body.installation.id)).body).toMatchObject({
      installation: { state: 'uninstalling' },
      delivery: { state: 'pending' },
    })
    expect(await reads(body.credentials.access_token)).toBe(200)
    expect((await uninstall(body.installation.id)).status).toBe(409)
    await advance('5s')
    expect(await reads(body.credentials.access_token)).toBe(401)
    expect((await call(`/_admin/installations/${body.installation.id}`)).body.state).toBe('uninstalled')
  })

  test('reorder: held until after the next one', async ({ install, fault, app, deliveries, trigger }) => {
    const { id } = (await install()).body.installation
    app.forget()
    await fault('reorder')
    const send = (type: string) => trigger(id, type)
    expect((await send('first')).body).toMatchObject({ state: 'pending', due_at: null, attempts: [] })
    expect(app.received()).toEqual([])
    expect((await send('second')).body.state).toBe('acknowledged')
    await send('third')
    expect(app.types()).toEqual(['second', 'first', 'third'])
    expect((await deliveries()).every(({ state }) => state === 'acknowledged')).toBe(true)
  })

  test('reorder: a redelivery that fails leaves it waiting', async ({ install, fault, app, call, trigger }) => {
    const { id } = (await install()).body.installation
    app.forget()
    await fault('reorder')
    const send = (type: string) => trigger(id, type)
    const first = (await send('first')).body
    app.answers(503)
    const { body } = await call(`/_admin/deliveries/${first.id}/redeliver`, { method: 'POST' })
    expect(body).toMatchObject({ state: 'pending', due_at: null, attempts: [{ status: 503, fault: null }] })
    expect((await call('/_admin/deliveries/settled')).body).toEqual({ settled: true })
    app.answers(200)
    await send('second')
    expect(app.types()).toEqual(['first', 'second', 'first'])
  })

  test('reorder: it is still held after a restore', async ({ install, fault, app, call, trigger }) => {
    const { id } = (await install()).body.installation
    app.forget()
    await fault('reorder')
    await trigger(id, 'first')
    await call('/_admin/snapshots', { body: { name: 'held' } })
    await call('/_admin/snapshots/held/restore', { method: 'POST' })
    expect((await call('/_admin/deliveries/settled')).body).toEqual({ settled: true })
    expect(app.received()).toEqual([])
    await trigger(id, 'second')
    expect(app.types()).toEqual(['second', 'first'])
  })

  test('reorder: a fault that always fires swaps pairs', async ({ install, fault, app, trigger }) => {
    const { id } = (await install()).body.installation
    app.forget()
    await fault('reorder', { times: undefined })
    for (const type of ['a', 'b', 'c', 'd']) {
      await trigger(id, type)
    }
    expect(app.types()).toEqual(['b', 'a', 'd', 'c'])
  })

  test('reorder on app.uninstalled: it arrives after the app.installed of the reinstall', async ({
    install,
    uninstall,
    fault,
    app,
    reads,
  }) => {
    const { body } = await install()
    await fault('reorder')
    expect((await uninstall(body.installation.id)).body).toMatchObject({
      installation: { state: 'uninstalled' },
      delivery: { state: 'pending', due_at: null },
    })
    expect(await reads(body.credentials.access_token)).toBe(401)
    const again = (await install()).body
    expect(again.installation.state).toBe('installed')
    expect(app.types()).toEqual(['app.installed', 'app.installed', 'app.uninstalled'])
    expect(await reads(again.credentials.access_token)).toBe(200)
  })

  test('lose_ack: the answer is ignored, so it is sent again', async ({ install, fault, app, advance, deliveries }) => {
    await fault('lose_ack')
    const { delivery } = (await install()).body
    expect(app.received()).toHaveLength(1)
    expect(delivery).toMatchObject({ state: 'retrying', attempts: [{ status: null, response: null }] })
    await advance('10s')
    expect(app.received()).toHaveLength(2)
    expect(app.received()[1]?.raw).toEqual(app.received()[0]?.raw)
    expect((await deliveries())[0].state).toBe('acknowledged')
  })

  test('unreachable: nothing arrives, and it is sent again', async ({ install, fault, app, advance, deliveries }) => {
    await fault('unreachable')
    const { delivery } = (await install()).body
    expect(app.received()).toHaveLength(0)
    expect(delivery).toMatchObject({ state: 'retrying', attempts: [{ status: null, response: null }] })
    expect(delivery.attempts[0].error).toBe('Injected fault: unreachable; the connection was refused')
    await advance('10s')
    expect(app.received()).toHaveLength(1)
    expect((await deliveries())[0].state).toBe('acknowledged')
  })

  test('duplicate_at_once: the second arrives before the first is answered', async ({ install, fault, app }) => {
    await fault('duplicate_at_once')
    app.handles(async (_, response) => {
      await app.arrival(undefined, 2)
      response.writeHead(200).end()
    })
    const { delivery } = (await install()).body
    expect(delivery).toMatchObject({ state: 'acknowledged', attempts: [{ status: 200 }, { status: 200 }] })
    const [first, second] = app.received()
    expect(second?.raw).toEqual(first?.raw)
  })

  test('bad_signature: as long as a real one, and wrong', async ({ install, fault, app }) => {
    await fault('bad_signature')
    await install()
    const [received] = app.received()
    expect(signatureOf(received)).toMatch(/^[0-9a-f]{64}$/)
    expect(signatureOf(received)).not.toBe(hmac(received?.raw as Buffer))
  })

  test('short_signature: the beginning of the real one', async ({ install, fault, app }) => {
    await fault('short_signature')
    await install()
    const [received] = app.received()
    const signature = String(signatureOf(received))
    expect(signature.length).toBeLessThan(64)
    expect(hmac(received?.raw as Buffer).startsWith(signature)).toBe(true)
  })

  test('no_signature: without the header', async ({ install, fault, app }) => {
    await fault('no_signature')
    await install()
    expect(app.received()[0]?.headers).not.toHaveProperty('platform-signature')
    expect(app.received()[0]?.headers['platform-idempotency-key']).toMatch(/^evt_/)
  })

  test('stale_signature: made with another secret', async ({ install, fault, app }) => {
    await fault('stale_signature')
    await install()
    const [received] = app.received()
    expect(signatureOf(received)).toMatch(/^[0-9a-f]{64}$/)
    expect(signatureOf(received)).not.toBe(hmac(received?.raw as Buffer))
  })

  test('altered_body: changed after signing', async ({ install, fault, app, advance }) => {
    await fault('altered_body')
    app.answers(401)
    await install()
    app.answers(200)
    await advance('10s')
    const [altered, real] = app.received()
    expect(altered?.body).toBeInstanceOf(Object)
    expect(altered?.raw).not.toEqual(real?.raw)
    expect(signatureOf(altered)).toBe(hmac(real?.raw as Buffer))
    expect(real?.isSignedWith('notes_signing')).toBe(true)
  })

  test('truncate: only the beginning arrives', async ({ install, fault, app, advance }) => {
    await fault('truncate')
    app.answers(400)
    await install()
    app.answers(200)
    await advance('10s')
    const [truncated, real] = app.received()
    expect(truncated?.body).toBeUndefined()
    expect(truncated?.raw.length).toBeLessThan(real?.raw.length ?? 0)
    expect(real?.raw.subarray(0, truncated?.raw.length)).toEqual(truncated?.raw)
  })

  test('the attempt names the fault, and the retry after it is sound', async ({
    install,
    fault,
    app,
    advance,
    deliveries,
    call,
  }) => {
    const injected = (await fault('bad_signature')).body
    app.handles((received, response) => {
      response.writeHead(received.isSignedWith('notes_signing') ? 200 : 401).end()
    })
    expect((await install()).body.delivery.state).toBe('retrying')
    await advance('10s')
    expect((await deliveries())[0]).toMatchObject({
      state: 'acknowledged',
      attempts: [
        { status: 401, fault: injected.id },
        { status: 200, fault: null },
      ],
    })
    expect((await call('/_admin/faults')).body.data).toMatchObject([{ hits: 1, left: 0 }])
  })

  test('match limits it to an app, an organization and an event', async ({ install, uninstall, fault, app, call }) => {
    const match = { surface: 'webhook', app: 'notes', organization: 'zenith', event: 'app.uninstalled' }
    await fault('no_signature', { match })
    const acme = (await install()).body.installation.id
    const zenith = (await install({ organization: 'zenith' })).body.installation.id
    await uninstall(acme)
    await uninstall(zenith)
    expect(app.received().map((received) => received.isSignedWith('notes_signing'))).toEqual([true, true, true, false])
    expect((await call('/_admin/faults')).body.data).toMatchObject([{ hits: 1 }])
  })

  test('one without a surface is of /v0 and OAuth: webhooks and id_tokens do not meet it', async ({
    install,
    app,
    call,
  }) => {
    const { body: fault } = await call('/_admin/faults', { body: { effect: { headers: { 'x-fault': 'yes' } } } })
    const { delivery } = (await install()).body
    expect(delivery).toMatchObject({ state: 'acknowledged', attempts: [{ fault: null }] })
    expect(app.received()).toHaveLength(1)
    const hits = async () => (await call('/_admin/faults')).body.data[0].hits
    expect(await hits()).toBe(0)
    const session = (await call('/_admin/sessions', { body: { user: 'ada' } })).body.cookie
    const redirect_uri = 'http://localhost:3000/callback'
    const asked = { client_id: 'app_notes', response_type: 'code', scope: 'openid', state: 'x', prompt: 'none' }
    const signedIn = await call(`/oauth/authorize?${new URLSearchParams({ ...asked, redirect_uri })}`, {
      headers: { cookie: `${session.name}=${session.value}` },
    })
    const code = new URL(signedIn.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const before = await hits()
    const client = { client_id: 'app_notes', client_secret: 'notes_secret' }
    const token = await call('/oauth/token', {
      form: { grant_type: 'authorization_code', code, redirect_uri, ...client },
    })
    expect(token.status).toBe(200)
    expect(token.headers.get('x-fault')).toBe('yes')
    expect(token.body.id_token).toMatch(/^eyJ/)
    expect(await hits()).toBe(before + 1)
    expect(fault.match).toEqual({})
  })

  test('match limits it to a path of the receiver', async ({ install, fault, app }) => {
    await fault('no_signature', { match: { surface: 'webhook', path: '/elsewhere' } })
    await install()
    await fault('no_signature', { match: { surface: 'webhook', method: 'POST', path: '/web*' } })
    await install({ organization: 'zenith' })
    expect(app.received().map((received) => received.isSignedWith('notes_signing'))).toEqual([true, false])
  })

  test('a redelivery under a fault is altered too, and leaves the delivery as it was', async ({
    install,
    fault,
    app,
    call,
  }) => {
    const { delivery } = (await install()).body
    await fault('no_signature')
    await call(`/_admin/deliveries/${delivery.id}/redeliver`, { method: 'POST' })
    expect(app.received()[1]?.headers).not.toHaveProperty('platform-signature')
  })

  test.for(['reorder', { delay: '5s' }])(
    'a redelivery is not put off by %j, which is left for the next webhook',
    async (effect, { install, fault, call }) => {
      const { id } = (await install()).body.delivery
      await fault(effect)
      const { body } = await call(`/_admin/deliveries/${id}/redeliver`, { method: 'POST' })
      expect(body).toMatchObject({ state: 'acknowledged', attempts: [{ fault: null }, { fault: null }] })
      expect((await call('/_admin/faults')).body.data).toMatchObject([{ hits: 0 }])
    },
  )

  test('a redelivery of what a fault has put off meets the faults of its own time', async ({
    install,
    fault,
    app,
    call,
    trigger,
  }) => {
    const { id } = (await install()).body.installation
    app.forget()
    await fault('reorder')
    const held = (await trigger(id, 'first')).body
    const injected = (await fault('no_signature')).body
    const { body } = await call(`/_admin/deliveries/${held.id}/redeliver`, { method: 'POST' })
    expect(body.attempts).toMatchObject([{ status: 200, fault: injected.id }])
    expect(app.received()[0]?.headers).not.toHaveProperty('platform-signature')
  })
})
