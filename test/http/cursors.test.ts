import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

describe('wire §2: a cursor belongs to the list that gave it', () => {
  test.override('settings', { pageSize: 1 })

  const key = { as: 'key_acme' }
  const encoded = (cursor: unknown[]) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

  test.for<[string, string, string]>([
    ['another list', '/v0/elements', '/v0/activities'],
    ['a list of one element', '/v0/activities', '/v0/elements/essay/activities'],
    ['a filter', '/v0/elements/essay/activities', '/v0/elements/essay/activities?member=bob'],
    ['another filter', '/v0/elements/essay/activities?member=bob', '/v0/elements/essay/activities?member=ada'],
    ['a course', '/v0/modules', '/v0/modules?course=course1'],
    ['a search', '/v0/elements', '/v0/elements/search'],
    ['another search', '/v0/elements/search?q=e', '/v0/elements/search?q=a'],
  ])('not to %s', async ([, from, to], { call }) => {
    const first = await call(from, key)
    const { next } = first.body.payload
    // A list of one item has no next page: any other list's cursor shows the same.
    const cursor = next ?? (await call('/v0/courses', key)).body.payload.next
    const refused = await call(`${to}${to.includes('?') ? '&' : '?'}page=${cursor}`, key)
    expect(refused.status).toBe(400)
    expect(refused.body.details).toEqual([{ path: 'page', message: expect.stringContaining('another list') }])
    if (next) expect((await call(`${from}${from.includes('?') ? '&' : '?'}page=${next}`, key)).status).toBe(200)
  })

  test.for<[string, (cursor: [string, number, string]) => string]>([
    ['of another time', ([created_at, ...rest]) => encoded([created_at.slice(0, 10), ...rest])],
    ['of another number', ([created_at, sequence, tag]) => encoded([created_at, sequence + 0.5, tag])],
    ['written differently', (cursor) => `${encoded(cursor)}=`],
  ])('not one %s, which no list has given', async ([, change], { call }) => {
    const { next } = (await call('/v0/elements', key)).body.payload
    const cursor = change(JSON.parse(Buffer.from(next, 'base64url').toString()))
    const { body } = await call(`/v0/elements?page=${cursor}`, key)
    expect(body.details).toEqual([{ path: 'page', message: 'is not a cursor that a list has given as "next"' }])
  })

  test('not to another organization', async ({ call }) => {
    const { next } = (await call('/v0/courses', key)).body.payload
    expect((await call(`/v0/courses?page=${next}`, key)).status).toBe(200)
    expect((await call(`/v0/courses?page=${next}`, { as: 'key_zenith' })).status).toBe(400)
  })

  test('but to the same list for another credential, and to a search by either method', async ({ call }) => {
    const { next } = (await call('/v0/elements', key)).body.payload
    expect((await call(`/v0/elements?page=${next}`, { as: 'at_acme' })).status).toBe(200)
    const search = await call('/v0/elements/search', { ...key, body: { q: 'E' } })
    const again = await call(`/v0/elements/search?q=e&page=${search.body.payload.next}`, key)
    expect(again.status).toBe(200)
  })
})
