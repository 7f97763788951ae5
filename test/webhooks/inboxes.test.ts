import { describe, expect } from 'vitest'
import { signatureOf } from '../harness/receiver.js'
import { test } from '../harness/webhook-test.js'

describe('control-api: inboxes', () => {
  test('a built-in receiver answers 200 to any method, and keeps the request', async ({ call, emulator }) => {
    expect((await fetch(`${emulator.url}/_inbox/mine`)).status).toBe(200)
    const body = JSON.stringify({ type: 'note.created', ü: 1 })
    const headers = { 'content-type': 'application/json', 'x-trace': 'abc' }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect((await fetch(`${emulator.url}/_inbox/mine`, { method, body, headers })).status).toBe(200)
    }
    const { data } = (await call('/_admin/inboxes/mine')).body
    expect(data).toHaveLength(6)
    expect(data[0]).toMatchObject({ event: null, raw: '', verified: false, app: null })
    expect(data[1]).toEqual({
      at: '2026-01-01T00:00:00.000Z',
      event: 'note.created',
      headers: expect.objectContaining({ 'x-trace': 'abc' }),
      body: { type: 'note.created', ü: 1 },
      raw: body,
      verified: false,
      organization: null,
      app: null,
    })
    expect((await call('/_admin/inboxes/other')).body).toEqual({ data: [] })
  })

  test('an app whose webhook it is: verified, with credentials in clear', async ({ install, push, call, emulator }) => {
    await push({ webhook: { url: `${emulator.url}/_inbox/notes` } })
    const { body } = await install()
    expect(body.delivery.state).toBe('acknowledged')
    const [entry] = (await call('/_admin/inboxes/notes')).body.data
    expect(entry).toMatchObject({ event: 'app.installed', verified: true, app: 'notes', organization: 'acme' })
    expect(entry.body.data.credentials).toEqual(body.credentials)
    expect((await call('/_admin/inboxes/notes?organization=acme')).body.data).toEqual([entry])
    expect((await call('/_admin/inboxes/notes?organization=zenith')).body.data).toEqual([])
    expect(entry.headers['platform-signature']).toBe(signatureOf(entry.raw))
  })

  test('a wrong signature is not verified', async ({ install, push, fault, call, emulator }) => {
    await push({ webhook: { url: `${emulator.url}/_inbox/notes` } })
    await fault('bad_signature')
    await install()
    expect((await call('/_admin/inboxes/notes')).body.data).toMatchObject([{ verified: false, app: null }])
  })

  test('a body that names no installation is verified with the secrets of all apps', async ({
    install,
    push,
    fault,
    call,
    emulator,
  }) => {
    await push({ webhook: { url: `${emulator.url}/_inbox/notes` } })
    await fault({ body: '[] ' })
    await install()
    expect((await call('/_admin/inboxes/notes')).body.data).toMatchObject([
      { raw: '[] ', event: null, verified: true, app: 'notes' },
    ])
  })

  test.for(['null', '7', '["type"]', '{"type":7,"installation_id":7}'])('%s has no event', async (raw, { call }) => {
    expect((await call('/_inbox/mine', { raw })).status).toBe(200)
    const [entry] = (await call('/_admin/inboxes/mine')).body.data
    expect(entry).toMatchObject({ raw, body: JSON.parse(raw), event: null, organization: null })
  })

  test('misbehaves on demand', async ({ install, push, call, emulator }) => {
    await push({ webhook: { url: `${emulator.url}/_inbox/notes` } })
    const behavior = { status: 503, headers: { 'retry-after': '7' } }
    const set = await call('/_admin/inboxes/notes', { method: 'PUT', body: behavior })
    expect(set).toMatchObject({ status: 200, body: { name: 'notes', ...behavior, delay: 0 } })
    const { delivery } = (await install()).body
    expect(delivery).toMatchObject({
      state: 'retrying',
      attempts: [{ status: 503, response: { headers: { 'retry-after': '7' } } }],
    })
    expect((await call('/_admin/inboxes/notes')).body.data).toHaveLength(1)
    await call('/_admin/inboxes/notes', { method: 'PUT', body: { status: 200 } })
    expect((await fetch(`${emulator.url}/_inbox/notes`)).headers.get('retry-after')).toBeNull()
  })

  describe('with a delay beyond the window', () => {
    test.override({ settings: { ackWindow: '50ms' } })

    test('the acknowledgement comes too late', async ({ install, push, call, emulator }) => {
      await push({ webhook: { url: `${emulator.url}/_inbox/notes` } })
      await call('/_admin/inboxes/notes', { method: 'PUT', body: { delay: '10s' } })
      expect((await install()).body.delivery.state).toBe('retrying')
    })
  })

  test('a bad behavior is refused', async ({ call }) => {
    const put = async (body: object) => (await call('/_admin/inboxes/x', { method: 'PUT', body })).status
    expect(await put({ status: 99 })).toBe(400)
    expect(await put({ delay: 'long' })).toBe(400)
    expect(await put({ headers: { 'bad name': 'x' } })).toBe(400)
    expect(await put({ headers: { name: 'a\r\nb' } })).toBe(400)
    expect(await put({ stauts: 500 })).toBe(400)
  })

  test('refuses a body of more than 10 MB', async ({ call }) => {
    const raw = Buffer.alloc(10 * 1024 * 1024 + 1)
    expect(await call('/_inbox/mine', { raw })).toMatchObject({
      status: 413,
      body: { title: 'The body is too large', status: 413 },
    })
    expect((await call('/_admin/inboxes/mine')).body.data).toEqual([])
  })

  test('keeps the first MB of a body, in whole characters', async ({ call, emulator }) => {
    const body = `${'a'.repeat(1024 * 1024 - 1)}ü and more`
    expect((await fetch(`${emulator.url}/_inbox/mine`, { method: 'POST', body })).status).toBe(200)
    const [{ raw }] = (await call('/_admin/inboxes/mine')).body.data
    expect(raw.length).toBe(1024 * 1024)
    expect(raw.endsWith('aü')).toBe(true)
  })

  test('the newest 200 requests are kept', async ({ call, emulator }) => {
    const post = (body: string) => fetch(`${emulator.url}/_inbox/mine`, { method: 'POST', body })
    const raws = async (): Promise<string[]> =>
      (await call('/_admin/inboxes/mine')).body.data.map(({ raw }: { raw: string }) => raw)
    for (let count = 0; count < 200; count++) await post(`n${count}`)
    expect(await raws()).toHaveLength(200)
    await post('newest')
    const kept = await raws()
    expect(kept).toHaveLength(200)
    expect([kept[0], kept.at(-1)]).toEqual(['n1', 'newest'])
  })

  test('a thousand are kept, of those the ones that were used last', async ({ call, emulator }) => {
    const post = (name: string) => fetch(`${emulator.url}/_inbox/${name}`, { method: 'POST', body: '{}' })
    const held = async (name: string) => (await call(`/_admin/inboxes/${name}`)).body.data.length
    await post('first')
    await post('second')
    // In batches, as a system has only so much room for connections that are not yet accepted.
    for (let from = 0; from < 998; from += 100) {
      await Promise.all(Array.from({ length: Math.min(100, 998 - from) }, (_, index) => post(`n${from + index}`)))
    }
    expect([await held('first'), await held('second')]).toEqual([1, 1])
    await post('first')
    await post('one-more')
    expect([await held('first'), await held('second'), await held('n0'), await held('one-more')]).toEqual([2, 0, 1, 1])
  })

  test('wait answers when there is one of the event, or when the time is over', async ({ call, emulator }) => {
    const waiting = call('/_admin/inboxes/mine?event=b&wait=10s')
    await fetch(`${emulator.url}/_inbox/mine`, { method: 'POST', body: '{"type":"a"}' })
    await fetch(`${emulator.url}/_inbox/mine`, { method: 'POST', body: '{"type":"b"}' })
    expect((await waiting).body.data.map(({ event }: { event: string }) => event)).toEqual(['b'])
    expect((await call('/_admin/inboxes/mine?event=c&wait=20ms')).body).toEqual({ data: [] })
    expect((await call('/_admin/inboxes/mine?wait=5s')).body.data).toHaveLength(2)
    expect((await call('/_admin/inboxes/mine?waiting=5s')).status).toBe(400)
  })

  test('deleting empties it, and leaves how it misbehaves; a reset ends that too', async ({ call, emulator }) => {
    const post = async () => (await fetch(`${emulator.url}/_inbox/mine`, { method: 'POST', body: 'text' })).status
    await call('/_admin/inboxes/mine', { method: 'PUT', body: { status: 503 } })
    expect(await post()).toBe(503)
    const deleted = await call('/_admin/inboxes/mine', { method: 'DELETE' })
    expect(deleted).toMatchObject({ status: 200, body: { data: [{ body: 'text', raw: 'text' }] } })
    expect((await call('/_admin/inboxes/mine')).body.data).toEqual([])
    expect(await post()).toBe(503)
    await call('/_admin/reset', { method: 'POST' })
    expect((await call('/_admin/inboxes/mine')).body.data).toEqual([])
    expect(await post()).toBe(200)
  })
})
