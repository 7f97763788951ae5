import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
type Any = any

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const bob = {
  id: 'bob',
  object: 'member',
  first_name: 'Bob',
  last_name: 'Learner',
  full_name: 'Bob Learner',
  avatar: null,
  email: 'bob@acme.test',
  is_email_verified: false,
  last_seen: null,
  created_at: timestamp,
}
const as = 'key_acme'

describe('spec §2.4, wire §4: activity', () => {
  test('of an individual has a member', async ({ call }) => {
    expect((await call('/v0/activities/act1', { as })).body).toEqual({
      error: null,
      payload: {
        id: 'act1',
        object: 'activity',
        timestamp,
        status: 'completed',
        passed: true,
        score: 90,
        completed_by: 'bob',
        member: bob,
        context: { id: 'essay', object: 'element', name: 'Essay', type: 'SUBMISSION', position: 0, module: 'module1' },
        meta: { responses: [{ question: 'q1', value: 'Because.' }] },
        created_at: timestamp,
      },
    })
  })

  test('of a group has members, and no member', async ({ call }) => {
    const { payload } = (await call('/v0/activities/act2', { as })).body
    expect(payload.members).toEqual([expect.objectContaining({ id: 'ada' }), bob])
    expect(payload).not.toHaveProperty('member')
    expect(payload).toMatchObject({ status: 'submitted', passed: null, score: null, meta: { responses: [] } })
  })

  test("are listed newest first, the organization's own alone", async ({ call }) => {
    const ids = (answer: Any) => answer.body.payload.data.map(({ id }: Any) => id)
    expect(ids(await call('/v0/activities', { as }))).toEqual(['act2', 'act1'])
    expect(ids(await call('/v0/activities', { as: 'key_zenith' }))).toEqual([])
    expect((await call('/v0/activities/act1', { as: 'key_zenith' })).status).toBe(404)
    expect((await call('/v0/activities/nope', { as })).status).toBe(404)
  })
})

describe('spec §4.1: list activities of an element', () => {
  test('?member= matches the member or any of the members; an unknown one gives an empty list', async ({ call }) => {
    const ids = async (query: string) => {
      const { status, body } = await call(`/v0/elements/essay/activities${query}`, { as })
      expect(status).toBe(200)
      expect(body.payload.next).toBeNull()
      return body.payload.data.map(({ id }: Any) => id)
    }
    expect(await ids('')).toEqual(['act2', 'act1'])
    expect(await ids('?member=bob')).toEqual(['act2', 'act1'])
    expect(await ids('?member=ada')).toEqual(['act2'])
    expect(await ids('?member=zoe')).toEqual([])
    expect(await ids('?member=nobody')).toEqual([])
  })

  test('an element without any has none; one that is not there is 404', async ({ call }) => {
    expect((await call('/v0/elements/page/activities', { as })).body.payload.data).toEqual([])
    expect((await call('/v0/elements/nope/activities', { as })).status).toBe(404)
    expect((await call('/v0/elements/essay/activities', { as: 'key_zenith' })).status).toBe(404)
  })

  test('a token without activities:read is refused', async ({ call }) => {
    const answer = await call('/v0/elements/essay/activities', { as: 'at_acme' })
    expect([answer.status, answer.body.error]).toEqual([403, 'Insufficient scope'])
  })
})

describe('wire §4: meta.responses lose their question when its id goes away', () => {
  const update = (call: Any, questions: unknown) =>
    call('/v0/elements/essay', { method: 'PATCH', as, body: { properties: { questions } } })
  const linked = async (call: Any) => (await call('/v0/activities/act1', { as })).body.payload.meta.responses

  test('not when the question changes but keeps its id, nor when others come and go', async ({ call }) => {
    await update(call, [
      { id: 'q2', text: 'New' },
      { id: 'q1', text: 'Why, though?' },
    ])
    await update(call, [{ id: 'q1', text: 'Why?' }])
    await call('/v0/elements/essay', { method: 'PATCH', as, body: { name: 'x', properties: {} } })
    expect(await linked(call)).toEqual([{ question: 'q1', value: 'Because.' }])
  })

  test.for([[[]], [null], [[{ text: 'Why?' }]], [[{ id: 'other', text: 'Why?' }]]] as unknown[][])(
    'for good with questions %j: the same id sent later does not bring the link back',
    async ([questions], { call }) => {
      expect((await update(call, questions)).status).toBe(200)
      expect(await linked(call)).toEqual([{ question: null, value: 'Because.' }])
      expect((await update(call, [{ id: 'q1', text: 'Why?' }])).status).toBe(200)
      expect(await linked(call)).toEqual([{ question: null, value: 'Because.' }])
    },
  )

  test('a refused update leaves the link alone', async ({ call }) => {
    expect((await update(call, [{ id: 'q2' }])).status).toBe(400)
    expect(await linked(call)).toEqual([{ question: 'q1', value: 'Because.' }])
  })
})
