import { connect as connectSocket } from 'node:net'
import { connect } from 'mockademy'
import { describe, expect, vi } from 'vitest'
import { createStream } from '../../src/emulator/journal/stream.js'
import { test as base } from '../harness/emulator-test.js'
import { startReceiver } from '../harness/receiver.js'
import { memoryInUse } from '../harness/resources.js'
import { serve } from '../harness/serve.js'
import { openStream } from './event-source.js'
import { flood } from './flood.js'

type Stream = Awaited<ReturnType<typeof openStream>>

const test = base.extend<{ listen: (query?: string, headers?: Record<string, string>) => Promise<Stream> }>({
  listen: async ({ emulator }, use) => {
    const streams: Stream[] = []
    await use(async (query = '', headers) => {
      const stream = await openStream(`${emulator.url}/_admin/stream${query}`, headers)
      streams.push(stream)
      return stream
    })
    for (const stream of streams) await stream.close()
  },
})

const has =
  (type: string, count = 1) =>
  (events: { type: string }[]) =>
    events.filter((event) => event.type === type).length >= count

describe('GET /_admin/stream', () => {
  test('tells of a request as the journal has it, secrets redacted', async ({ call, listen }) => {
    const stream = await listen()
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await call('/v0/courses?token=at_secret', { as: 'at_secret' })
    await stream.until(has('request'), 'the request')
    const { body } = await call('/_admin/requests')
    expect(stream.ofType('request')[0]?.data).toEqual(body.data[0])
    expect(JSON.stringify(stream.events)).not.toContain('at_secret')
  })

  test('tells of a delivery each time that it changes, and of what changed, without contents', async ({
    call,
    listen,
  }) => {
    const receiver = await startReceiver()
    const manifest = {
      id: 'hook',
      name: 'Hook',
      version: '1.0.0',
      permissions: ['elements:read'],
      oauth: { install: true },
    }
    await call('/_admin/apps', { body: { manifest: { ...manifest, webhook: { url: receiver.url } } } })
    const stream = await listen()
    const { body } = await call('/_admin/installations', { body: { app: 'hook', organization: 'acme' } })
    await stream.until(has('delivery', 2), 'the delivery')
    const deliveries = stream.ofType('delivery').map(({ data }) => data)
    expect(deliveries.map(({ state }) => state)).toEqual(['pending', 'acknowledged'])
    expect(deliveries.at(-1)).toEqual(body.delivery)
    const changes = stream.ofType('change').map(({ data }) => data)
    expect(changes).toContainEqual({ collection: 'installations', id: body.installation.id, kind: 'put' })
    expect(JSON.stringify(stream.events)).not.toContain(body.credentials.access_token)
  })

  test('tells of no other world when a document was rejected', async ({ call, listen }) => {
    const stream = await listen()
    expect((await call('/_admin/state', { method: 'PUT', body: { users: [{ email: 'x' }] } })).status).toBe(400)
    expect((await call('/_admin/fixtures', { body: { users: [{ email: 'ada@acme.test' }] } })).status).toBe(409)
    await call('/_admin/clock/advance', { body: { by: '1h' } })
    await stream.until(has('clock'), 'the clock')
    expect(stream.ofType('world')).toEqual([])
  })

  test('tells of the clock', async ({ call, listen }) => {
    const stream = await listen()
    const { body } = await call('/_admin/clock/advance', { body: { by: '1h' } })
    await stream.until(has('clock'), 'the clock')
    expect(stream.ofType('clock')[0]?.data).toMatchObject({ now: body.now, frozen: true })
    const later = await listen()
    await call('/_admin/clock/advance', { body: { by: '1h', organization: 'acme' } })
    await later.until(has('clock'), 'the clock of an organization')
    expect(later.ofType('clock')[0]?.data).toMatchObject({ organizations: [{ organization: 'acme' }] })
  })

  test('tells of a finding when it is made', async ({ call, listen }) => {
    const stream = await listen()
    await call('/v0/courses', { as: 'rt_acme' })
    await stream.until(has('finding'), 'the finding')
    expect(stream.ofType('finding')[0]?.data).toMatchObject({ rule: 'wrong_kind_of_token', level: 'error', count: 1 })
  })

  describe('with short pages', () => {
    test.override({ settings: { pageSize: 1 } })

    test('tells once of a finding that each list judges anew', async ({ call, listen }) => {
      const stream = await listen()
      for (let request = 0; request < 3; request++) await call('/v0/elements', { as: 'at_acme' })
      for (let list = 0; list < 2; list++) await call('/_admin/findings')
      await call('/_admin/clock/advance', { body: { by: '1h' } })
      await stream.until(has('clock'), 'the clock')
      expect(stream.ofType('finding').map(({ data }) => data.rule)).toEqual(['unread_pages'])
    })
  })

  test('tells that a record is gone', async ({ call, listen }) => {
    const { body } = await call('/_admin/faults', { body: { effect: 'unavailable' } })
    const stream = await listen()
    await call(`/_admin/faults/${body.id}`, { method: 'DELETE' })
    await stream.until(has('change'), 'the fault')
    expect(stream.ofType('change')[0]?.data).toEqual({ collection: 'faults', id: body.id, kind: 'removed' })
  })

  test('tells of a snapshot, and that the journal, the findings or an inbox was emptied', async ({ call, listen }) => {
    const stream = await listen()
    await call('/_admin/snapshots', { body: { name: 'here' } })
    for (const path of ['snapshots/here', 'requests', 'findings', 'inboxes/mine'])
      await call(`/_admin/${path}`, { method: 'DELETE' })
    await stream.until(has('change', 5), 'five changes')
    expect(stream.ofType('change').map(({ data }) => data)).toEqual([
      { collection: 'snapshots', id: 'here', kind: 'put' },
      { collection: 'snapshots', id: 'here', kind: 'removed' },
      { collection: 'requests', id: '*', kind: 'removed' },
      { collection: 'findings', id: '*', kind: 'removed' },
      { collection: 'inboxes', id: 'mine', kind: 'removed' },
    ])
  })

  test('tells of another world in one event, whatever it changes', async ({ call, listen }) => {
    const { body: state } = await call('/_admin/state')
    await call('/_admin/snapshots', { body: { name: 'here' } })
    await call('/_admin/organizations', { body: { slug: 'new', name: 'New' } })
    const stream = await listen()
    await call('/_admin/snapshots/here/restore', { method: 'POST' })
    await call('/_admin/reset', { method: 'POST' })
    await call('/_admin/state', { method: 'PUT', body: state })
    await call('/_admin/fixtures', { body: { users: [{ email: 'nia@acme.test' }] } })
    await stream.until(has('world', 4), 'four worlds')
    const why = ['restored', 'reset', 'replaced', 'loaded'].map((reason) => ['world', { why: reason }])
    expect(stream.events.map(({ type, data }) => [type, data])).toEqual(why)
  })

  test('counts all events in one sequence, and goes on after the last one that was read', async ({ call, listen }) => {
    const first = await listen()
    await call('/v0/courses')
    await call('/_admin/clock/advance', { body: { by: 1000 } })
    await first.until((events) => events.length >= 3, 'three events')
    const ids = first.events.map(({ id }) => Number(id))
    expect(ids).toEqual(ids.map((_, index) => (ids[0] as number) + index))

    for (const [query, headers] of [
      ['', { 'last-event-id': String(ids[0]) }],
      [`?since=${ids[0]}`, {}],
      ['?since=0', { 'last-event-id': String(ids[0]) }],
    ] as const) {
      const second = await listen(query, headers)
      await second.until((events) => events.length >= ids.length - 1, 'what came after')
      expect(second.events).toEqual(first.events.slice(1))
    }
  })

  test('begins with what happens from now on', async ({ call, listen }) => {
    await call('/v0/courses')
    const stream = await listen()
    await call('/v0/modules')
    await stream.until(has('request'), 'the second request')
    expect(stream.ofType('request').map(({ data }) => data.path)).toEqual(['/v0/modules'])
  })

  test('an id of an emulator that ran before is a gap, and what there is comes again', async ({ call, listen }) => {
    await call('/v0/courses')
    const stream = await listen('', { 'last-event-id': '999999' })
    await stream.until(has('request'), 'what there is')
    expect(stream.events.map(({ type }) => type)).toEqual(['gap', 'request'])
  })

  test('refuses what is no id, a page of another origin, and a foreign host', async ({ call }) => {
    const bad = await call('/_admin/stream?since=yesterday')
    expect([bad.status, bad.body.errors]).toEqual([400, [{ path: 'since', message: 'must be the id of an event' }]])
    expect((await call('/_admin/stream', { headers: { 'last-event-id': 'x' } })).status).toBe(400)
    expect((await call('/_admin/stream', { headers: { origin: 'https://evil.test' } })).status).toBe(403)
    expect((await call('/_admin/stream', { method: 'HEAD' })).status).toBe(200)
  })

  describe('with an admin token', () => {
    test.override({ settings: { adminToken: 'the_token' } })
    test('is refused without it', async ({ call, listen }) => {
      expect((await call('/_admin/stream')).status).toBe(401)
      const stream = await listen('', { authorization: 'Bearer the_token' })
      expect(stream.response.status).toBe(200)
    })
  })

  test('a client that goes away is forgotten, and closing the emulator ends the others', async ({
    emulator,
    call,
    listen,
  }) => {
    const [gone, other] = [await listen(), await listen()]
    await gone.close()
    await call('/v0/courses')
    await other.until(has('request'), 'the request')
    await emulator.close()
    await other.close()
    expect(gone.events).toEqual([])
  })
})

test('a client that never reads costs a bounded amount of memory, and nobody any time', { timeout: 900_000 }, async ({
  emulator,
  listen,
}) => {
  const { hostname, port } = new URL(emulator.url)
  const reader = await listen()
  const silent = connectSocket(Number(port), hostname)
  silent.pause()
  silent.write(`GET /_admin/stream HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)

  const total = 50_000
  await flood(emulator.url, 10_000)
  reader.events.length = 0
  const before = memoryInUse()
  await flood(emulator.url, total - 10_000)
  const seen = () =>
    reader.ofType('request').length + reader.ofType('gap').reduce((sum, { data }) => sum + data.missed, 0)
  await reader.until(() => seen() >= total - 10_000, 'every request')
  expect(seen()).toBe(total - 10_000)
  reader.events.length = 0
  // Memory of the flood's clients is freed a little later on a busy machine.
  await expect.poll(() => memoryInUse() - before).toBeLessThan(10 * 1024 * 1024)

  // The client now reads the buffered events, then how many it missed.
  let text = ''
  await new Promise<void>((resolve) => {
    silent.on('data', (bytes) => {
      text += bytes.toString()
      if (text.includes(`"id":${total},`)) resolve()
    })
    silent.resume()
  })
  silent.destroy()
  const missed = [...text.matchAll(/event: gap\ndata: \{"missed":(\d+)\}/g)].map(([, count]) => Number(count))
  const read = text.split('event: request').length - 1
  expect(missed.length).toBeGreaterThan(0)
  expect(read + missed.reduce((sum, count) => sum + count, 0)).toBe(total)
})

test('an event is presented once for all clients that wait for it, and anew for one that reads it later', async () => {
  const stream = createStream()
  const end = new AbortController()
  let times = 0
  const read = async (since?: number) => (await stream.read(since, end.signal).next()).value
  const waiting = [read(), read(), read()]
  stream.publish('request', () => ({ times: ++times }))
  expect(await Promise.all(waiting)).toEqual(Array(3).fill([{ id: 1, type: 'request', data: { times: 1 } }]))
  stream.publish('change', () => ({}))
  expect(await read(0)).toMatchObject([{ id: 1, data: { times: 2 } }, { id: 2 }])
})

test('a client that knows an id of an earlier emulator has missed every event that is no longer kept', async () => {
  const stream = createStream()
  for (let count = 0; count < 2_003; count++) stream.publish('clock', () => ({}))
  const { value } = await stream.read(999_999, new AbortController().signal).next()
  expect(value).toEqual([{ id: 3, type: 'gap', data: { missed: 3 } }])
})

test('the typed client reads it as an async iterable', async ({ emulator, call }) => {
  await call('/v0/courses')
  const end = new AbortController()
  const paths: string[] = []
  for await (const event of emulator.admin.stream({ since: 0, signal: end.signal })) {
    if (event.type !== 'request') continue
    paths.push(event.data.path)
    if (paths.length === 1) await call('/v0/modules')
    else end.abort()
  }
  expect(paths).toEqual(['/v0/courses', '/v0/modules'])
})

test('a reading of the typed client that is ended before the stream is open ends as any other', async () => {
  const ended = new AbortController()
  const { url } = await serve(() => ended.abort())
  const events = []
  for await (const event of connect(url).stream({ signal: ended.signal })) events.push(event)
  expect(events).toEqual([])
})

test('a comment goes out at once, for browsers that wait for a first byte, and every 15 s, for proxies', async ({
  emulator,
}) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { body } = await fetch(`${emulator.url}/_admin/stream`)
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await read()).toBe(':\n\n')
  vi.advanceTimersByTime(14_999)
  // Had anything gone out by now, it would be read before this.
  await emulator.admin.createOrganization({ slug: 'spoke', name: 'Spoke first' })
  expect(await read()).toMatch(/^id: \d+\nevent: change\n/)
  vi.advanceTimersByTime(1)
  expect(await read()).toBe(':\n\n')
  await reader.cancel()
  vi.useRealTimers()
})

describe('GET /_admin/stream, of a webhook that fails often', () => {
  test.override({ settings: { retrySchedule: Array(25).fill('1s') } })

  test('what it keeps is bounded in bytes, the responses to webhooks included', async ({ call, listen }) => {
    const receiver = await startReceiver()
    receiver.handles((_, response) => void response.writeHead(500).end('x'.repeat(65_536)))
    const manifest = { id: 'hook', name: 'Hook', version: '1.0.0', webhook: { url: receiver.url } }
    await call('/_admin/apps', { body: { manifest } })
    await call('/_admin/installations', { body: { app: 'hook', organization: 'acme' } })
    // Each event has the delivery with its attempts so far: 20 MB in the end, and 2 MB of requests.
    await call('/_admin/clock/advance', { body: { by: '30s' } })
    const stream = await listen('?since=0')
    await stream.until(has('gap'), 'the gap')
    expect(stream.ofType('gap')[0]?.data.missed).toBeGreaterThan(0)
  })
})
