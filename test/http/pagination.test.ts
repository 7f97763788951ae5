import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
type Any = any

describe('wire §2: lists', () => {
  test.override({ settings: { pageSize: 2 } })

  const create = async (call: Any, name: string) =>
    (await call('/v0/elements', { as: 'key_acme', body: { module: 'module2', name, type: 'TAG' } })).body.payload.id

  test('newest first, those of the same moment too, in pages with a cursor', async ({ call }) => {
    const made: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) made.push(await create(call, name))
    const seen: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const { body } = await call(`/v0/elements${next && `?page=${next}`}`, { as: 'key_acme' })
      expect(body.payload.data.length).toBeLessThanOrEqual(2)
      seen.push(...body.payload.data.map(({ id }: Any) => id))
      next = body.payload.next
    }
    expect(seen).toEqual([...made.toReversed(), 'page', 'review', 'essay'])
  })

  test('inserts and deletes between two pages repeat and skip nothing that survives', async ({ call }) => {
    const ids: Record<string, string> = {}
    for (const name of 'abcdef') ids[name] = await create(call, name)
    const first = (await call('/v0/elements', { as: 'key_acme' })).body.payload
    expect(first.data.map(({ name }: Any) => name)).toEqual(['f', 'e'])
    await create(call, 'new')
    for (const name of ['f', 'e', 'd']) await call(`/v0/elements/${ids[name]}`, { method: 'DELETE', as: 'key_acme' })
    const second = (await call(`/v0/elements?page=${first.next}`, { as: 'key_acme' })).body.payload
    expect(second.data.map(({ name }: Any) => name)).toEqual(['c', 'b'])
  })

  test('a page that is full and the last one has no next', async ({ call }) => {
    const { payload } = (await call('/v0/modules?course=course1', { as: 'key_acme' })).body
    expect(payload.data.map(({ id }: Any) => id)).toEqual(['module2', 'module1'])
    expect(payload.next).toBeNull()
  })

  test.for(['x', '', 'W10', 'bnVsbA', 'WyJhIiwxXQ', 'WyJhIiwxXQ=='])(
    'a cursor that cannot be read (%s): 400',
    async (page, { call }) => {
      const { status, body } = await call(`/v0/elements?page=${page}`, { as: 'key_acme' })
      expect(status).toBe(400)
      expect(body.details).toEqual([{ path: 'page', message: expect.any(String) }])
    },
  )

  test('what the path names comes before the cursor', async ({ call }) => {
    expect((await call('/v0/elements/nope/activities?page=x', { as: 'key_acme' })).status).toBe(404)
    expect((await call('/v0/courses/nope/members?page=x', { as: 'key_acme' })).status).toBe(404)
  })
})
