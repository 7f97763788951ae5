import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect } from 'vitest'
import { test as base } from '../harness/emulator-test.js'
import { expectOne, withFindings } from './findings-test.js'

const test = withFindings(base)
const error = { level: 'error', app: 'notes', organization: 'acme' }

describe('early_refresh', () => {
  test('is found when the access token had time left and was not refused', async ({
    refresh,
    found,
    newest,
    later,
  }) => {
    await later('10m')
    expect((await refresh('rt_acme')).status).toBe(200)
    const [entries, all] = [[await newest()], await found()]
    expectOne(all, {
      ...error,
      rule: 'early_refresh',
      section: 'spec: §5.2.3',
      count: 1,
      entries,
      says: /valid for another 3000 s/,
    })
  })

  test('is found of tokens that were made on both sides of a millisecond', async ({ call, refresh, found }) => {
    const { body: world } = await call('/_admin/state')
    for (const token of world.tokens) if (token.kind === 'refresh') token.created_at = '2026-01-01T00:00:00.001Z'
    expect((await call('/_admin/state', { method: 'PUT', body: world })).status).toBe(200)
    expect((await refresh('rt_acme')).status).toBe(200)
    expect(await found()).toMatchObject([{ rule: 'early_refresh' }])
  })

  test('is not found with 5 s left, but with 6 s', async ({ refresh, found, later }) => {
    await later('3595s')
    const { body } = await refresh('rt_acme')
    expect(await found()).toEqual([])
    await later('3594s')
    await refresh(body.refresh_token)
    expectOne(await found(), { rule: 'early_refresh', says: /valid for another 6 s/ })
  })

  test('is not found after a 401, a real one or an injected one', async ({ call, refresh, found, inject }) => {
    await call('/_admin/tokens/expire', { body: { token: 'at_acme' } })
    await call('/v0/elements', { as: 'at_acme' })
    const { body } = await refresh('rt_acme')
    await inject({ surface: 'api' }, 'token_expired')
    expect((await call('/v0/elements', { as: body.access_token })).status).toBe(401)
    expect((await refresh(body.refresh_token)).status).toBe(200)
    expect(await found('early_refresh')).toEqual([])
  })

  test('says when the 401 before was for an older token', async ({ call, refresh, found, later }) => {
    await later('1h')
    expect((await call('/v0/elements', { as: 'at_acme' })).status).toBe(401)
    const { body } = await refresh('rt_acme')
    expect((await call('/v0/elements', { as: 'at_acme' })).status).toBe(401)
    await refresh(body.refresh_token)
    expectOne(await found('early_refresh'), {
      says: /for another 3600 s and had not been rejected; the last 401 was for a token that it had already replaced\./,
    })
  })

  test('is not found of a user’s token, which can get no 401', async ({ call, refresh, found }) => {
    const { body } = await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme', user: 'ada' } })
    expect((await refresh(body.refresh_token)).status).toBe(200)
    expect(await found()).toEqual([])
  })

  test('is not found when a fault had said that the token has less time', async ({ refresh, found, inject, later }) => {
    await later('1h')
    await inject({ surface: 'oauth' }, { merge: { expires_in: 60, access_token: 'unknown' } })
    const { body } = await refresh('rt_acme')
    await later('61s')
    const { body: next } = await refresh(body.refresh_token)
    expect(await found('early_refresh')).toEqual([])
    await later('61s')
    await refresh(next.refresh_token)
    expect(await found('early_refresh')).toHaveLength(1)
  })

  test('is not found when the findings were deleted after the 401', async ({ call, refresh, found, inject }) => {
    await inject({ surface: 'api' }, 'token_revoked')
    await call('/v0/elements', { as: 'at_acme' })
    await call('/_admin/findings', { method: 'DELETE' })
    await refresh('rt_acme')
    expect(await found('early_refresh')).toEqual([])
  })
})

/** Sends a request with each of these credentials, all at once over one connection. */
async function sendWith(url: string, credentials: string[]): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const requests = credentials.map((each) => `Host: ${hostname}\r\nAuthorization: Bearer ${each}\r\n`)
  const start = 'GET /v0/courses HTTP/1.1\r\n'
  socket.write(`${start}${requests.join(`\r\n${start}`)}Connection: close\r\n\r\n`)
  await once(socket.resume(), 'end')
}

test('early_refresh: of 5,000 credentials that were rejected, those that were rejected last are known', async ({
  emulator,
  call,
  refresh,
  found,
  inject,
}) => {
  await inject({ path: '/v0/elements' }, 'token_expired', { times: 2 })
  const rejected = async () => (await call('/v0/elements', { as: 'at_acme' })).status
  expect(await rejected()).toBe(401)
  await sendWith(
    emulator.url,
    Array.from({ length: 4_999 }, (_, index) => `unknown${index}`),
  )
  expect(await rejected()).toBe(401)
  await sendWith(emulator.url, ['another'])
  expect((await refresh('rt_acme')).status).toBe(200)
  expect(await found('early_refresh')).toEqual([])
})

describe('a refresh token again', () => {
  test.beforeEach(async ({ later }) => void (await later('1h')))

  test('within 2 s is concurrent_refresh and not refresh_reuse', async ({ refresh, found, newest, pass }) => {
    await refresh('rt_acme')
    pass(1_500)
    expect((await refresh('rt_acme')).body.error).toBe('invalid_grant')
    const entries = [await newest()]
    expectOne(await found(), {
      ...error,
      rule: 'concurrent_refresh',
      count: 1,
      entries,
      says: /used 15\d\d ms earlier/,
    })
  })

  test('within 2 s, after the new access token was used, asks whether the new refresh token was stored', async ({
    call,
    refresh,
    found,
  }) => {
    const { body } = await refresh('rt_acme')
    expect((await call('/v0/elements', { as: body.access_token })).status).toBe(200)
    expect((await refresh('rt_acme')).body.error).toBe('invalid_grant')
    expectOne(await found(), {
      rule: 'concurrent_refresh',
      says: /^The same refresh token had been used .* earlier, and the access token of that response had been used since: was the new refresh token stored\? Either .* store the refresh token from each response\./,
    })
  })

  test('later than 2 s is refresh_reuse and not concurrent_refresh', async ({ refresh, found, newest, pass }) => {
    await refresh('rt_acme')
    pass(3_000)
    await refresh('rt_acme')
    const entries = [await newest()]
    expectOne(await found(), {
      ...error,
      rule: 'refresh_reuse',
      section: 'spec: §3',
      count: 1,
      entries,
      says: /used 3 s earlier/,
    })
  })

  test('is concurrent_refresh when the two overlap, however long that takes', async ({
    call,
    refresh,
    found,
    inject,
    pass,
  }) => {
    await inject({ surface: 'oauth', grant_type: 'refresh_token' }, { hold: 2 }, { times: 2 })
    const first = refresh('rt_acme')
    await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(1)
    pass(10_000)
    const answers = await Promise.all([first, refresh('rt_acme')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expectOne(await found(), {
      rule: 'concurrent_refresh',
      count: 1,
      says: /earlier\. Either .* Run one refresh per installation/,
    })
  })

  test('is found in a race that a fault arranged', async ({ refresh, found, inject }) => {
    await inject({ surface: 'oauth', grant_type: 'refresh_token' }, { hold: 2 }, { times: 2 })
    const answers = await Promise.all([refresh('rt_acme'), refresh('rt_acme')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expectOne(await found(), {
      rule: 'concurrent_refresh',
      count: 1,
      says: /earlier\. Either .* Run one refresh per installation/,
    })
  })

  test('is found in a race that was released by deleting its fault', async ({ call, refresh, found, inject }) => {
    const { body } = await inject({ surface: 'oauth', grant_type: 'refresh_token' }, { hold: 9 }, { times: 9 })
    const racing = [refresh('rt_acme'), refresh('rt_acme')]
    await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(2)
    await call(`/_admin/faults/${body.id}`, { method: 'DELETE' })
    expect((await Promise.all(racing)).map(({ status }) => status).sort()).toEqual([200, 400])
    expectOne(await found(), {
      rule: 'concurrent_refresh',
      count: 1,
      says: /earlier\. Either .* Run one refresh per installation/,
    })
  })

  test.for([
    ['an answer that was replaced', { status: 503 }],
    ['a connection that was reset', { connection: 'reset' }],
    ['half of an answer', { connection: 'truncate' }],
    ['an answer without its tokens', { omit: ['refresh_token'] }],
    ['an answer that was delayed after the work', { delay: 1 }],
    ['an answer that was held after the work', { hold: 1 }],
  ] as const)('is not found after %s', async ([, effect], { refresh, found, inject, pass }) => {
    await inject({ surface: 'oauth' }, effect, { phase: 'after' })
    await refresh('rt_acme').catch(() => undefined)
    pass(100)
    expect((await refresh('rt_acme')).body.error).toBe('invalid_grant')
    pass(5_000)
    await refresh('rt_acme')
    expect(await found()).toEqual([])
  })

  test('is not found after a delay of a second', async ({ call, refresh, found, inject, pass }) => {
    const { body } = await inject({ surface: 'oauth' }, { hold: 9, delay: 1 }, { times: 9 })
    const slow = refresh('rt_acme')
    await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(1)
    pass(1_001)
    await call(`/_admin/faults/${body.id}`, { method: 'DELETE' })
    expect((await slow).status).toBe(200)
    pass(100)
    expect((await refresh('rt_acme')).body.error).toBe('invalid_grant')
    expect(await found()).toEqual([])
  })

  test('is found when a slow response, for which it did not wait, is used later', async ({
    call,
    refresh,
    found,
    inject,
  }) => {
    const { body: fault } = await inject({ surface: 'oauth' }, { hold: 9 }, { phase: 'after' })
    const slow = refresh('rt_acme')
    await expect.poll(async () => (await call('/_admin/faults')).body.data[0].hits).toBe(1)
    expect((await refresh('rt_acme')).body.error).toBe('invalid_grant')
    await call(`/_admin/faults/${fault.id}`, { method: 'DELETE' })
    const { body } = await slow
    expect(await found()).toEqual([])
    for (let request = 0; request < 2; request++) await call('/v0/elements', { as: body.access_token })
    expectOne(await found(), {
      rule: 'concurrent_refresh',
      count: 1,
      says: /^The same refresh token had been used less than a second earlier\./,
    })
  })

  test('is not found when the response came without a refresh token, and its access token is used', async ({
    call,
    refresh,
    found,
    inject,
  }) => {
    await inject({ surface: 'oauth' }, { omit: ['refresh_token'] }, { phase: 'after' })
    const { body } = await refresh('rt_acme')
    await refresh('rt_acme')
    await call('/v0/elements', { as: body.access_token })
    expect(await found()).toEqual([])
  })

  test.for([
    ['a delay', { delay: 1, jitter: 1, headers: { 'x-late': '1' } }, 'before'],
    ['more headers', { headers: { 'x-late': '1' } }, 'after'],
  ] as const)(
    'is found under %s, whose answer arrives',
    async ([, effect, phase], { refresh, found, inject, pass }) => {
      await inject({ surface: 'oauth' }, effect, { times: 7, phase })
      expect((await refresh('rt_acme')).status).toBe(200)
      for (let request = 0; request < 6; request++) {
        pass(2_500)
        expect((await refresh('rt_acme')).body.error).toBe('invalid_grant')
      }
      expect((await found()).map(({ rule }) => rule)).toEqual(['refresh_reuse', 'dead_refresh'])
    },
  )

  test('is not found after a refresh that a fault kept from being done', async ({ refresh, found, inject }) => {
    await inject({ surface: 'oauth' }, { status: 503 })
    expect((await refresh('rt_acme')).status).toBe(503)
    expect((await refresh('rt_acme')).status).toBe(200)
    expect(await found()).toEqual([])
  })

  test('is not found after the world has gone back to before the refresh', async ({ call, refresh, found, later }) => {
    await call('/_admin/snapshots', { body: { name: 'before' } })
    await refresh('rt_acme')
    await call('/_admin/snapshots/before/restore', { method: 'POST' })
    expect((await refresh('rt_acme')).status).toBe(200)
    await later('1h')
    expect(await found()).toEqual([])
  })
})

describe('dead_refresh', () => {
  test.beforeEach(async ({ call }) => void (await call('/_admin/tokens/revoke', { body: { token: 'rt_acme' } })))

  test('is found at the fourth request after the refusal', async ({ refresh, found, newest, pass }) => {
    await refresh('rt_acme')
    pass(2_000)
    for (let request = 0; request < 3; request++) await refresh('rt_acme')
    expect(await found()).toEqual([])
    await refresh('rt_acme')
    const entries = [await newest()]
    expectOne(await found(), {
      ...error,
      rule: 'dead_refresh',
      section: 'spec: §3',
      count: 1,
      entries,
      says: /sent 4 times after/,
    })
  })

  test('is not found for requests that were on their way', async ({ refresh, found }) => {
    await Promise.all(Array.from({ length: 8 }, () => refresh('rt_acme')))
    expect(await found('dead_refresh')).toEqual([])
  })

  test('is not found for refusals that are not the token’s, or are injected', async ({
    call,
    refresh,
    found,
    inject,
  }) => {
    await inject({ surface: 'oauth' }, { status: 400 }, { times: 6 })
    for (let request = 0; request < 6; request++) await refresh('rt_acme')
    const form = {
      grant_type: 'refresh_token',
      refresh_token: 'rt_acme',
      client_id: 'app_notes',
      client_secret: 'wrong',
    }
    for (let request = 0; request < 6; request++) expect((await call('/oauth/token', { form })).status).toBe(401)
    expect(await found()).toEqual([])
  })

  test.for([
    ['a refresh token that the emulator never issued', 'rt_from_elsewhere', null],
    ['an access token in its place', 'at_acme', 'acme'],
  ] as const)('is found for %s', async ([, token, organization], { refresh, found, pass }) => {
    await refresh(token)
    pass(2_000)
    for (let request = 0; request < 3; request++) await refresh(token)
    expect(await found('dead_refresh')).toEqual([])
    await refresh(token)
    expectOne(await found('dead_refresh'), { ...error, organization, rule: 'dead_refresh', says: /sent 4 times after/ })
  })

  test('is found for a client that authenticates with Basic too', async ({ call, found, pass }) => {
    const authorization = `Basic ${Buffer.from('app_notes:notes_secret').toString('base64')}`
    const form = { grant_type: 'refresh_token', refresh_token: 'rt_acme' }
    for (let request = 0; request < 5; request++) {
      await call('/oauth/token', { form, headers: { authorization } })
      pass(2_000)
    }
    expectOne(await found(), { ...error, rule: 'dead_refresh', says: /4 times/ })
  })
})
