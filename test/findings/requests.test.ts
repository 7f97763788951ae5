import { describe, expect } from 'vitest'
import { test as base, send } from '../harness/emulator-test.js'
import { expectOne, withFindings } from './findings-test.js'

const test = withFindings(base)
const error = { level: 'error', app: 'notes', organization: 'acme' }

describe('retry_without_refresh', () => {
  test.beforeEach(async ({ call }) => void (await call('/_admin/tokens/expire', { body: { token: 'at_acme' } })))

  test('is found when a refused request comes twice more with the same token', async ({
    call,
    found,
    newest,
    pass,
  }) => {
    await call('/v0/elements', { as: 'at_acme' })
    pass(1_100)
    await call('/v0/courses', { as: 'at_acme' })
    await call('/v0/elements', { as: 'at_acme' })
    pass(50_000)
    expect(await found()).toEqual([])
    await call('/v0/elements', { as: 'at_acme' })
    const entries = [await newest()]
    const says = /GET \/v0\/elements was sent again with the access token that had been rejected/
    expectOne(await found('retry_without_refresh'), { ...error, section: 'spec: §5.2.3', count: 1, entries, says })
  })

  test('is found at once on the connection that brought the 401', async ({ call, found }) => {
    for (let request = 0; request < 4; request++) await call('/v0/elements', { as: 'at_acme' })
    expectOne(await found('retry_without_refresh'), { app: 'notes', count: 2, says: /Refresh first/ })
  })

  test('is not found for requests of other workers that were on their way', async ({ call, refresh, found }) => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('/v0/elements', { as: 'at_acme' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(401))
    const { body } = await refresh('rt_acme')
    expect((await call('/v0/elements', { as: body.access_token })).status).toBe(200)
    expect(await found('retry_without_refresh')).toEqual([])
  })

  test('is not found when a fault kept the app from refreshing', async ({ call, refresh, found, inject, pass }) => {
    await call('/v0/elements', { as: 'at_acme' })
    await inject({ surface: 'oauth' }, { status: 503 })
    await refresh('rt_acme')
    for (let request = 0; request < 3; request++) {
      pass(50_000)
      await call('/v0/elements', { as: 'at_acme' })
    }
    expect(await found('retry_without_refresh')).toEqual([])
  })

  test('is not found while a refresh is under way, however long it takes', async ({ call, refresh, found, inject }) => {
    await call('/v0/elements', { as: 'at_acme' })
    const { body: fault } = await inject({ surface: 'oauth' }, { hold: 2 })
    const refreshed = refresh('rt_acme')
    const isHeld = async () => (await call('/_admin/faults')).body.data.some(({ hits }: { hits: number }) => hits > 0)
    await expect.poll(isHeld).toBe(true)
    for (let request = 0; request < 4; request++) await call('/v0/elements', { as: 'at_acme' })
    expect(await found('retry_without_refresh')).toEqual([])

    await call(`/_admin/faults/${fault.id}`, { method: 'DELETE' })
    const { access_token } = (await refreshed).body
    await call('/_admin/tokens/expire', { body: { token: access_token } })
    for (let request = 0; request < 4; request++) await call('/v0/elements', { as: access_token })
    expectOne(await found('retry_without_refresh'), { ...error, says: /Refresh first/ })
  })

  test('is not found for different searches', async ({ call, found }) => {
    const statuses = []
    for (const q of ['alpha', 'beta', 'gamma', 'delta']) {
      statuses.push((await call('/v0/elements/search', { as: 'at_acme', body: { q } })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401])
    expect(await found()).toEqual([])
    const { data } = (await call('/_admin/requests?status=401')).body
    expect(data.map(({ request }: { request: { body: unknown } }) => request.body)).toContainEqual({ q: 'gamma' })
  })

  test('is not found for API keys, which cannot be refreshed', async ({ call, found, pass }) => {
    await call('/_admin/organizations/acme/api-key', { method: 'POST' })
    for (let request = 0; request < 3; request++) {
      expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(401)
      pass(2_000)
    }
    expect(await found()).toEqual([])
  })

  test('is not found after the world has gone back', async ({ call, found, pass }) => {
    await call('/_admin/snapshots', { body: { name: 'here' } })
    await call('/v0/elements', { as: 'at_acme' })
    await call('/_admin/snapshots/here/restore', { method: 'POST' })
    pass(2_000)
    await call('/v0/elements', { as: 'at_acme' })
    expect(await found('retry_without_refresh')).toEqual([])
  })
})

describe('hopeless_retry', () => {
  test('is found at the third repetition after a 403', async ({ call, found, newest, pass }) => {
    for (let request = 0; request < 3; request++) {
      expect((await call('/v0/courses', { as: 'at_acme' })).status).toBe(403)
      pass(500)
    }
    expect(await found('hopeless_retry')).toEqual([])
    await call('/v0/courses', { as: 'at_acme' })
    const entries = [await newest()]
    const says = /GET \/v0\/courses was sent 3 more times after a 403/
    expectOne(await found('hopeless_retry'), { ...error, section: 'spec: §5.2.4', count: 1, entries, says })
  })

  test('is not found for six workers at once, nor after one injected 403', async ({ call, found, inject, pass }) => {
    await Promise.all(Array.from({ length: 6 }, () => call('/v0/courses', { as: 'at_acme' })))
    await inject({ surface: 'api' }, 'insufficient_scope')
    for (let request = 0; request < 5; request++) {
      await call('/v0/elements', { as: 'at_acme' })
      pass(500)
    }
    expect(await found('hopeless_retry')).toEqual([])
  })
})

describe('ignored_rate_limit', () => {
  test.override({ settings: { rateLimit: 2 } })

  test('is nothing of a sandbox that has ended, whose clock was ahead', async ({ emulator, call, found }) => {
    const sandbox = await emulator.admin.sandbox({ app: 'notes' })
    const { access_token: as } = sandbox.credentials as { access_token: string }
    const read = () => call('/v0/elements', { as, injected: true })
    for (const status of [200, 200, 429]) expect((await read()).status).toBe(status)
    await sandbox.clock.advance('2m')
    expect((await read()).status).toBe(200)
    await sandbox.end()
    for (let request = 0; request < 4; request++) await read()
    expect(await found('ignored_rate_limit')).toEqual([])
  })

  test('is found at the third request before Retry-After is over', async ({ call, found, newest, pass }) => {
    for (let request = 0; request < 3; request++) await call('/v0/elements', { as: 'at_acme' })
    pass(2_000)
    for (let request = 0; request < 2; request++)
      expect((await call('/v0/elements', { as: 'at_acme' })).status).toBe(429)
    expect(await found('ignored_rate_limit')).toEqual([])
    await call('/v0/elements', { as: 'at_acme' })
    const entries = [await newest()]
    const says = /3 requests were sent before the time in Retry-After had passed/
    expectOne(await found('ignored_rate_limit'), { ...error, section: 'wire: §2', count: 1, entries, says })
  })

  test('is found when Retry-After is a date', async ({ call, found, inject }) => {
    const date = new Date(Date.parse((await call('/_admin/clock')).body.now) + 60_000).toUTCString()
    await inject({ surface: 'api' }, { status: 429, headers: { 'Retry-After': date } })
    for (let request = 0; request < 4; request++) await call('/v0/elements', { as: 'at_acme' })
    expectOne(await found('ignored_rate_limit'), { ...error, count: 1, says: /before the time in Retry-After/ })
  })

  test('is not found for a burst that had left before the first 429 came', async ({ call, found }) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('/v0/elements', { as: 'at_acme' })))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(8)
    expect(await found('ignored_rate_limit')).toEqual([])
  })

  test('is not found for requests without a credential', async ({ call, found, inject }) => {
    for (let request = 0; request < 5; request++) {
      await inject({ surface: 'api' }, 'rate_limited')
      expect((await call('/v0/elements')).status).toBe(429)
    }
    expect(await found()).toEqual([])
  })

  test.for(['the emulator’s clock', 'the real clock'])(
    'is not found when Retry-After is over by %s',
    async (clock, { call, found, later, pass, inject }) => {
      for (let round = 0; round < 4; round++) {
        await inject({ surface: 'api' }, { status: 429, headers: { 'Retry-After': '5' } })
        expect((await call('/v0/elements', { as: 'key_acme' })).status).toBe(429)
        if (clock === 'the real clock') pass(5_001)
        else await later('5s')
      }
      expect(await found('ignored_rate_limit')).toEqual([])
    },
  )
})

describe('unknown_fields', () => {
  const hint = { rule: 'unknown_fields', level: 'hint', section: 'wire: §2', app: null, count: 1 } as const

  test('names the fields', async ({ call, found, newest }) => {
    const body = { module: 'module1', name: 'New', type: 'CONTENT', contents: 'misspelt', colour: 'red' }
    expect((await call('/v0/elements', { as: 'key_acme', body })).status).toBe(200)
    const entries = [await newest()]
    const says = /POST \/v0\/elements contained fields that the API ignores: contents, colour\./
    expectOne(await found(), { ...hint, entries, says })
  })

  test('names query parameters', async ({ call, found, newest }) => {
    expect((await call('/v0/courses?limit=3', { as: 'key_acme' })).status).toBe(200)
    const entries = [await newest()]
    expect((await call('/v0/modules?course=course1', { as: 'key_acme' })).status).toBe(200)
    const says = /GET \/v0\/courses contained query parameters that the API ignores: limit\./
    expectOne(await found(), { ...hint, entries, says })
  })

  test('is not found for what a client has read and sends back', async ({ call, found }) => {
    const { payload } = (await call('/v0/elements/page', { as: 'key_acme' })).body
    const { status } = await call('/v0/elements/page', { as: 'key_acme', method: 'PUT', body: payload })
    expect(status).toBe(200)
    expect(await found()).toEqual([])
  })

  test('is not found for fields that a liberty has added to what is sent back', async ({ call, found }) => {
    await call('/_admin/liberties', { method: 'PUT', body: { seed: '1', kinds: 'more-fields' } })
    const { payload } = (await call('/v0/elements/page', { as: 'key_acme' })).body
    const put = (more: object) =>
      call('/v0/elements/page', { as: 'key_acme', method: 'PUT', body: { ...payload, ...more } })
    expect((await put({})).status).toBe(200)
    expect((await call('/_admin/requests')).body.data.at(-1).warnings).toContainEqual(
      expect.objectContaining({ code: 'ignored_field', path: 'links' }),
    )
    expect(await found()).toEqual([])
    await put({ colour: 'red' })
    expect((await found()).map(({ message }) => message)).toEqual([expect.stringContaining('ignores: colour.')])
  })

  test('is found for a field of the same name where no liberty adds any', async ({ call, found }) => {
    await call('/v0/elements/page', { as: 'key_acme', method: 'PUT', body: { name: 'New', links: [] } })
    expect((await found()).map(({ message }) => message)).toEqual([expect.stringContaining('ignores: links.')])
  })
})

test('a careful client that meets injected refusals causes no findings', async ({
  emulator,
  call,
  refresh,
  inject,
  found,
  later,
}) => {
  const elements = (token: string) => send(`${emulator.url}/v0/elements`, { as: token })
  await inject({ surface: 'api' }, { status: 503 }, { times: 3 })
  for (let request = 0; request < 4; request++) await elements('at_acme')
  await inject({ surface: 'api' }, 'rate_limited')
  await elements('at_acme')
  await later('1m')
  await inject({ surface: 'api' }, 'token_expired')
  expect((await elements('at_acme')).status).toBe(401)
  const { body } = await refresh('rt_acme')
  expect((await elements(body.access_token)).status).toBe(200)
  await inject({ surface: 'api' }, { connection: 'reset' })
  await elements(body.access_token).catch(() => undefined)
  expect((await elements(body.access_token)).status).toBe(200)
  expect(await found()).toEqual([])
  expect((await call('/_admin/requests/count?surface=api')).body.count).toBe(9)
})
