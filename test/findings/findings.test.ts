import { describe, expect } from 'vitest'
import { test as base, silent } from '../harness/sign-in-test.js'
import { withFindings } from './findings-test.js'

const test = withFindings(base)

describe('the list of findings', () => {
  /** An error and three hints of notes, and an error of sync. */
  test.beforeEach(async ({ call, refresh }) => {
    await refresh('rt_acme')
    await call(silent())
    await call('/v0/elements', { as: 'rt_sync' })
  })

  test('is oldest first, with one entry for each rule and app', async ({ call, found, later }) => {
    await later('1s')
    await call('/v0/elements', { as: 'rt_sync' })
    await call('/v0/elements?key=key_acme', { as: 'at_acme' })
    await call(silent({ state: 'other' }))
    const all = await found()
    expect(all.map(({ rule, app, count }) => `${rule} ${app} ${count}`)).toEqual([
      'early_refresh notes 1',
      'weak_state notes 2',
      'no_pkce notes 2',
      'no_nonce notes 2',
      'wrong_kind_of_token sync 2',
      'token_in_url notes 1',
      'unknown_fields notes 1',
    ])
    const [finding] = all
    expect(Object.keys(finding ?? {}).sort()).toEqual([
      'app',
      'count',
      'docs',
      'entries',
      'first_at',
      'last_at',
      'level',
      'message',
      'organization',
      'rule',
      'section',
    ])
    expect(finding?.docs).toMatch(/\/docs\/checks\.md#early_refresh$/)
    expect(finding).toMatchObject({ first_at: '2026-01-01T00:00:00.000Z', last_at: '2026-01-01T00:00:00.000Z' })
  })

  test('is cited by the entries, in lists and in the stream', async ({ call }) => {
    const { data } = (await call('/_admin/requests')).body
    expect(data.map(({ findings }: { findings?: string[] }) => findings)).toEqual([
      ['early_refresh'],
      ['weak_state', 'no_pkce', 'no_nonce'],
      ['wrong_kind_of_token'],
    ])
    await call('/_admin/findings', { method: 'DELETE' })
    expect((await call('/_admin/requests')).body.data[0]).not.toHaveProperty('findings')
  })

  test('says when a rule was broken first and last, and in which exchanges', async ({ call, found, newest, later }) => {
    await later('1m')
    await call('/v0/courses', { as: 'rt_sync' })
    const [finding] = await found('wrong_kind_of_token')
    expect(finding).toMatchObject({
      first_at: '2026-01-01T00:00:00.000Z',
      last_at: '2026-01-01T00:01:00.000Z',
      entries: [(await newest()) - 1, await newest()],
    })
    expect(finding?.message).toMatch(/GET \/v0\/courses/)
  })

  test('names no organization when it was broken in two', async ({ call, found }) => {
    for (const key of ['key_acme', 'key_zenith']) await call(`/v0/courses?key=${key}`, { as: key })
    const { app, organization, count } = (await found('token_in_url')).at(-1) ?? {}
    expect({ app, organization, count }).toEqual({ app: null, organization: null, count: 2 })
  })

  test.for([
    ['app=sync', ['wrong_kind_of_token']],
    ['app=app_sync', ['wrong_kind_of_token']],
    ['level=error', ['early_refresh', 'wrong_kind_of_token']],
    ['level=hint&rule=no_pkce', ['no_pkce']],
    ['level=error&rule=no_pkce', []],
    ['app=duo', []],
  ] as const)('filtered by %s', async ([query, rules], { call }) => {
    const { status, body } = await call(`/_admin/findings?${query}`)
    expect(status).toBe(200)
    expect(body.data.map(({ rule }: { rule: string }) => rule)).toEqual(rules)
  })

  test('refuses filters that name nothing', async ({ call }) => {
    for (const [query, status] of [
      ['rule=lateness', 400],
      ['level=warning', 400],
      ['colour=red', 400],
      ['app=nobody', 404],
    ] as const) {
      expect((await call(`/_admin/findings?${query}`)).status, query).toBe(status)
    }
    const { body } = await call('/_admin/findings?app=nobody')
    expect(body.detail).toMatch(/notes/)
  })

  test('a deleted app or organization is still found by its id', async ({ call }) => {
    const rules = async (query: string) =>
      (await call(`/_admin/findings?${query}`)).body.data.map(({ rule }: { rule: string }) => rule)
    const before = await rules('app=sync')
    expect(before).toEqual(['wrong_kind_of_token'])
    await call('/_admin/apps/sync', { method: 'DELETE' })
    await call('/_admin/requests', { method: 'DELETE' })
    expect(await rules('app=sync')).toEqual(before)
    const ofAcme = await rules('organization=acme')
    await call('/_admin/organizations/acme', { method: 'DELETE' })
    expect(await rules('organization=acme')).toEqual(ofAcme)
  })

  test('is empty after DELETE, which answers with what there was', async ({ call, found }) => {
    const before = await found()
    const { status, body } = await call('/_admin/findings', { method: 'DELETE' })
    expect([status, body.data]).toEqual([200, before])
    expect(await found()).toEqual([])
    await call('/v0/elements', { as: 'rt_sync' })
    expect(await found()).toMatchObject([{ rule: 'wrong_kind_of_token', count: 1 }])
  })

  test('is empty after a reset, and what went before does not count any more', async ({
    call,
    found,
    refresh,
    later,
  }) => {
    expect(await found()).not.toEqual([])
    await call('/_admin/reset', { method: 'POST' })
    expect(await found()).toEqual([])
    await later('1h')
    expect((await refresh('rt_acme')).status).toBe(200)
    expect(await found()).toEqual([])
  })

  test('keeps what it has when the world goes back to a snapshot', async ({ call, found }) => {
    const before = await found()
    expect(before).not.toEqual([])
    await call('/_admin/snapshots', { body: { name: 'here' } })
    await call('/_admin/snapshots/here/restore', { method: 'POST' })
    expect(await found()).toEqual(before)
  })

  test('is empty after another world was put in place', async ({ call, found }) => {
    expect(await found()).not.toEqual([])
    const { body } = await call('/_admin/state')
    expect((await call('/_admin/state', { method: 'PUT', body })).status).toBe(200)
    expect(await found()).toEqual([])
  })

  test('keeps the newest 50 ids of the exchanges', async ({ call, found, newest }) => {
    for (let request = 0; request < 60; request++) await call('/v0/elements', { as: 'rt_sync' })
    const last = await newest()
    expect(await found('wrong_kind_of_token')).toMatchObject([
      { count: 61, entries: Array.from({ length: 50 }, (_, index) => last - 49 + index) },
    ])
  })

  test('holds no secret', async ({ call, codeFor, found }) => {
    const code = await codeFor('ada')
    await call(`/v0/elements?access_token=at_acme_is_short&api_key=key_acme&code=${code}`, { as: code })
    const text = JSON.stringify(await found())
    expect(text).toMatch(/token_in_url/)
    for (const secret of ['rt_acme', 'rt_sync', 'key_acme', 'notes_secret', code]) expect(text).not.toContain(secret)
  })
})

test('control calls are no findings, whatever is in their URL, nor is a token that an inbox gets', async ({
  call,
  found,
}) => {
  await call('/_admin/requests?path=key_acme', { as: 'rt_acme' })
  await call('/_admin/installations?organization=notes_secret', { as: 'rt_acme' })
  await call('/_inbox/app', { as: 'rt_acme' })
  expect(await found()).toEqual([])
})
